import type { Figure } from '../table.ts';

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

/**
 * Files on the stacks of all moments: outermost first, in the order of the moments. Stacks are asynchronous and reach back
 * to the event. Files that these call on the side count only as run.
 */
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

/**
 * `status`: a key resolves the selected ticket of an expanded tracker. `patch`: with cold caches, the user expands a
 * patchset of four patches, then one patch, and opens a file. `folder`: with cold caches, the editor reads a folder of a
 * remote repository. A walk ends when nothing more happens.
 */
export interface Walk {
	readonly name: 'status' | 'patch' | 'folder';
	readonly trace: Trace;
}

function figuresOfWalk({ name, trace }: Walk): readonly Figure[] {
	const { runs } = trace;
	const line = mainLine(trace).map(({ file, moment }) => `${file} (${moment})`);
	const files = [...new Set(runs.map(({ file }) => file))].sort();
	const told = toldRows(trace);
	const again = parsedAgain(trace);
	const figure = (what: string, value: number): Figure => ({ name: `${name}: ${what}`, value });
	return [
		{ ...figure('files on the main line', line.length), found: line },
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
			found: told.map(([row, count]) => `${count} ${row}`),
		},
		figure('texts parsed as diffs', timesOf(trace, 'parsed')),
		{ ...figure('texts parsed as diffs more than once', again.length), found: again.map(firstLine) },
	];
}

function firstLine(text: string): string {
	return text.slice(0, 100).split('\n')[0] ?? '';
}

export function walkFigures(walks: readonly Walk[]): readonly Figure[] {
	return walks.flatMap(figuresOfWalk);
}
