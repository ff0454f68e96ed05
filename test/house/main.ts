// `npm run house [--write] [word…]`: figures of the sources beside those of docs/house.md.
import { root } from '../harness/places.ts';
import { figuresOf } from './figures.ts';
import { readSources } from './sources.ts';
import { housePage, printFigures } from './table.ts';

const figures = figuresOf(readSources(root));
process.exitCode = printFigures({ page: 'docs/house.md', figures, text: housePage(figures) }, process.argv.slice(2));
