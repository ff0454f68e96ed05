import { type Figure, figureRows } from '../table.ts';

/** A moment that matters, and the sources on its asynchronous stack. */
export interface Moment {
	readonly name: 'port' | 'request' | 'store' | 'mail' | 'parsed' | 'row' | 'told' | 'command';
	/** The call, the row, the parsed text. */
	readonly about: string;
	/** Innermost first. */
	readonly files: readonly string[];
}

/** A function that was called. */
export interface Run {
	readonly file: string;
	readonly name: string;
	readonly calls: number;
}

export interface Trace {
	readonly moments: readonly Moment[];
	readonly runs: readonly Run[];
}

/** A file of the main line, and the first moment with it on the stack. */
interface Step {
	readonly file: string;
	readonly moment: Moment['name'];
}

/** Files on the stacks of all moments: outermost first, in the order of the moments. */
export function mainLine({ moments }: Trace): readonly Step[] {
	const steps = new Map<string, Step>();
	for (const { name, files } of moments) {
		for (const file of files.toReversed()) {
			if (!steps.has(file)) {
				steps.set(file, { file, moment: name });
			}
		}
	}
	return [...steps.values()];
}

/** Notifications of the editor about each row, by its id, the most first. */
export function toldRows({ moments }: Trace): readonly (readonly [string, number])[] {
	return counted(moments, 'told').toSorted(([, one], [, other]) => other - one);
}

/** Texts that were parsed as diffs again. */
export function parsedAgain({ moments }: Trace): readonly string[] {
	return counted(moments, 'parsed').flatMap(([text, count]) => (count > 1 ? [text] : []));
}

export function timesOf({ moments }: Trace, name: Moment['name']): number {
	return moments.filter((moment) => moment.name === name).length;
}

function counted(moments: readonly Moment[], name: Moment['name']): readonly (readonly [string, number])[] {
	const counts = new Map<string, number>();
	for (const { about } of moments.filter((moment) => moment.name === name)) {
		counts.set(about, (counts.get(about) ?? 0) + 1);
	}
	return [...counts];
}

export interface Walk {
	readonly name: 'status' | 'patch' | 'folder';
	readonly trace: Trace;
}

interface About {
	readonly title: string;
	/** The most files of its main line. */
	readonly most: number;
	/** Notifications of one row, where the walk changes one thing once. */
	readonly mostTold?: number;
}

const abouts: Readonly<Record<Walk['name'], About>> = {
	status: { title: 'A status key to a repainted row', most: 20, mostTold: 1 },
	patch: { title: 'A raw mail to a native diff of the whole file', most: 34 },
	folder: { title: 'A remote folder to its rows', most: 15 },
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

function firstLine(text: string): string {
	return text.slice(0, 100).split('\n')[0] ?? '';
}

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
	return [
		`## ${abouts[name].title}`,
		'',
		...mainLine(trace).map(({ file, moment }, at) => `${at + 1}. \`${file}\` (${moment})`),
		'',
	];
}

const intro = `Written by \`npm run walks -- --write\`. Not to be edited by hand. \`npm run walks\` walks again, in the real sources from commands and views down to a real sample forge, and prints its figures beside these; \`npm run walks -- main line\` also lists what the rows with these words in their names counted. A figure that meets its target here must go on to meet it: otherwise the command, and \`npm test\` with it, fails.

The **main line** of a walk is every file of \`src\` on the stack at a moment that matters: a call into the forge's port, a request, a change of a store, the reading of a mail, the parsing of a diff, a new row, a notification of the editor about a row, a command of the editor. Stacks are asynchronous and reach back to the event. Files that these call on the side (words, addresses, decoders) count as **run**. Files, functions and calls that run are V8's own counts between the event and its result, without the statements that run as a file is loaded.

**status**: a key resolves the selected ticket of an unfolded tracker. **patch**: with cold caches, a patchset of four patches is unfolded, then one of its patches; a click on a file opens both sides. **folder**: with cold caches, the editor reads a folder of a remote repository. A walk ends when nothing more happens.`;
