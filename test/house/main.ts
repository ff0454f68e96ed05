// `npm run house`: figures that say how the sources are built, beside those of docs/house.md. `--write` writes that file
// anew; other arguments are words of rows that are to be shown with what they counted.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followCitations } from '../harness/citations.ts';
import { root } from '../harness/places.ts';
import { shownProblem } from '../harness/plainProblem.ts';
import { figuresOf } from './figures.ts';
import { readBundles, unreached, writeKnipSettings } from './reach.ts';
import { readSources } from './sources.ts';
import { housePage } from './table.ts';
import { tellFigures } from './tellFigures.ts';

function house(args: readonly string[]): number {
	const bundles = readBundles(join(root, 'dist/meta'));
	const settings = join(mkdtempSync(join(tmpdir(), 'house-')), 'knip.json');
	writeKnipSettings(settings, bundles);
	const reporting = ['--production', '--include', 'files,exports,types', '--reporter', 'json', '--no-exit-code'];
	const report = execFileSync('knip', [...reporting, '--config', settings], { cwd: root, encoding: 'utf8' });
	const sources = readSources(root);
	const dead = followCitations(root).complaints.map(({ from, problem }) => `${from}: ${problem}`);
	const figures = figuresOf(sources, unreached(report, bundles, sources), dead);
	return tellFigures({ page: 'docs/house.md', figures, text: housePage(figures) }, args);
}

try {
	process.exit(house(process.argv.slice(2)));
} catch (error) {
	console.error(shownProblem(error));
	process.exit(1);
}
