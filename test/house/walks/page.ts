import type { Figure } from '../figures.ts';
import { figureRows } from '../table.ts';
import { mainLine, parsedAgain, timesOf, toldRows, type Trace } from './trace.ts';

/** A walk that was traced. */
export interface Walk {
	readonly name: 'status' | 'patch' | 'folder';
	readonly trace: Trace;
}

interface About {
	readonly title: string;
	/** The most files that its main line may have. */
	readonly most: number;
	/** Where the walk changes one thing once: how often a row may be told. */
	readonly mostTold?: number;
	/** Files that ran before the sources were put in order, and files of the main line as a reader counted them then. */
	readonly before: { readonly run: number; readonly byHand: number };
}

const abouts: Readonly<Record<Walk['name'], About>> = {
	status: {
		title: 'A status key to a repainted row',
		most: 20,
		mostTold: 1,
		before: { run: 94, byHand: 41 },
	},
	patch: { title: 'A raw mail to a native diff of the whole file', most: 33, before: { run: 137, byHand: 34 } },
	folder: { title: 'A remote folder to its rows', most: 15, before: { run: 38, byHand: 18 } },
};

function figuresOfWalk({ name, trace }: Walk): readonly Figure[] {
	const { runs } = trace;
	const { most, mostTold } = abouts[name];
	const line = mainLine(trace).map(({ file }) => file);
	const files = [...new Set(runs.map(({ file }) => file))].sort();
	const told = toldRows(trace);
	const again = parsedAgain(trace);
	const figure = (what: string, value: number): Figure => ({ name: `${name}: ${what}`, value });
	return [
		{ ...figure('files on the main line', line.length), target: most, found: line },
		{ ...figure('files run', files.length), found: files },
		figure('functions run', runs.length),
		figure(
			'calls',
			runs.reduce((sum, { calls }) => sum + calls, 0),
		),
		{
			...figure('requests', timesOf(trace, 'request')),
			found: trace.moments.flatMap((moment) => (moment.name === 'port' ? [moment.about] : [])),
		},
		{
			...figure('times that one row was told to the editor', told[0]?.[1] ?? 0),
			...(mostTold === undefined ? {} : { target: mostTold }),
			found: told.map(([row, count]) => `${count} ${row}`),
		},
		figure('texts parsed as diffs', timesOf(trace, 'parsed')),
		{ ...figure('texts parsed as diffs more than once', again.length), target: 0, found: again.map(firstLine) },
	];
}

/** A text may be of any length. */
function firstLine(text: string): string {
	return text.slice(0, 100).split('\n')[0] ?? '';
}

/** All rows of the table. */
export function walkFigures(walks: readonly Walk[]): readonly Figure[] {
	return walks.flatMap(figuresOfWalk);
}

/** `docs/walks.md`. */
export function walksPage(walks: readonly Walk[]): string {
	return [
		'# Three walks through the sources',
		'',
		intro,
		'',
		...figureRows(walkFigures(walks)),
		'',
		...walks.flatMap(lineOf),
	].join('\n');
}

function lineOf({ name, trace }: Walk): readonly string[] {
	const { title, before } = abouts[name];
	return [
		`## ${title}`,
		'',
		`Before the sources were put in order ${before.run} files ran, and a reader counted ${before.byHand} on the main line.`,
		'',
		...mainLine(trace).map(({ file, moment }, at) => `${at + 1}. \`${file}\` (${momentTexts[moment]})`),
		'',
	];
}

const momentTexts: Readonly<Record<Trace['moments'][number]['name'], string>> = {
	port: 'a call into the port',
	request: 'a request leaves',
	store: 'a store says what changed',
	mail: 'a mail is read',
	parsed: 'a diff is parsed',
	row: 'a row is made',
	told: 'the editor is told of a row',
	command: 'a command of the editor is called',
};

const intro = `Written by \`npm run walks -- --write\`. Not to be edited by hand. \`npm run walks\` walks again, in the real sources from commands and views down to a real sample forge, and prints its figures beside these; \`npm run walks -- main line\` also prints what the rows with these words in their names counted. A figure whose target is met here must stay so: it fails the command, which \`npm test\` runs, when it no longer is.

The **main line** of a walk is every file of \`src\` that is on the stack at a moment that matters: a call into the forge's port, a request that leaves, a store that says what changed, a mail that is read, a diff that is parsed, a row that is made, a row of which the editor is told, a command of the editor that is called. The stack goes on behind what was awaited or left for later, to whoever asked for it, so that it reaches back to the event. What such a file calls on the side (words, addresses, decoders) counts as **run** and not as main line. Files, functions and calls that run are V8's own counts between the event and its result; statements that run as a file is loaded count as nothing.

The walks are these. **status**: a key resolves the ticket of the selected row of a tracker that is unfolded, until nothing more happens; **patch**: a patchset of four patches, of which nothing is known, is unfolded, then one of its patches, then a file is clicked and the editor reads both sides, until nothing more happens; **folder**: the editor reads a folder of a remote repository of which nothing is known.`;
