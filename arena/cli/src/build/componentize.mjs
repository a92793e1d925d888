// Run by `arena build` in the project's folder: entry, contract, world, component.
import { writeFile } from 'node:fs/promises';
import { componentize } from '@bytecodealliance/componentize-js';

const [sourcePath, witPath, worldName, out] = process.argv.slice(1);
try {
  const { component } = await componentize({
    sourcePath,
    witPath,
    worldName,
    disableFeatures: ['stdio', 'random', 'clocks', 'http', 'fetch-event'],
  });
  await writeFile(out, component);
} catch (error) {
  console.error(error?.message ?? error);
  process.exit(1);
}
