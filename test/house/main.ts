// `npm run house [-- --tighten] [word…]`: figures of the sources beside their limits.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/places.ts';
import { figuresOf, proseBeside } from './figures.ts';
import { readSources } from './sources.ts';
import { printFigures } from './table.ts';

const textsOf = (...patterns: readonly string[]): readonly string[] =>
	globSync([...patterns], { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
const tests = textsOf('test/**/*.ts', 'packages/*/{test,testing}/**/*.ts');
// Programs write the page of benchmarks and the proof.
const documents = textsOf('docs/**/!(benchmarks|proof).md', '*.md', 'packages/*/*.md', 'test/**/*.md');
const figures = [...figuresOf(readSources(root)), ...proseBeside(tests, documents)];
process.exitCode = printFigures(figures, process.argv.slice(2));
