// `npm run house [-- --tighten] [word…]`: figures of the sources beside their limits.
import { root } from '../harness/places.ts';
import { figuresOf } from './figures.ts';
import { readSources } from './sources.ts';
import { printFigures } from './table.ts';

process.exitCode = printFigures(figuresOf(readSources(root)), process.argv.slice(2));
