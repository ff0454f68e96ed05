import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { privateFileMode, privateFolderMode } from './replaceNow.ts';

/** Lines that all windows add to a file: for what comes often, must outlive a process, and must hold nothing up. */
export interface FileLines {
	/** As they stand there, of all windows, oldest first; none where they cannot be read. */
	read(): readonly string[];
	/** Is written soon, beside everything else. What the disk refuses is lost, and the oldest where it comes too slowly. */
	add(line: string): void;
	/** Writes what is still to be written before it returns; settles once nothing is under way. Never rejects. */
	flush(): Promise<void>;
}

/**
 * The newest `most` lines are there, and as many of the older ones again at most: what is full is put aside, where it takes
 * the place of what was put aside before.
 */
export function fileLines(path: string, most: number): FileLines {
	const asidePath = `${path}.old`;
	let waiting: string[] = [];
	let underWay: readonly string[] = [];
	let writing: Promise<void> | undefined;
	/** Of the file that is added to, as far as this window knows. */
	let count = 0;

	async function write(): Promise<void> {
		while (waiting.length > 0) {
			underWay = waiting;
			waiting = [];
			await append(underWay).catch(() => undefined);
			underWay = [];
		}
		writing = undefined;
	}

	async function append(lines: readonly string[]): Promise<void> {
		await mkdir(dirname(path), { recursive: true, mode: privateFolderMode });
		if (count >= most) {
			count = 0;
			// What is gone already makes room as well.
			await rename(path, asidePath).catch(() => undefined);
		}
		await appendFile(path, textOf(lines), { mode: privateFileMode });
		count += lines.length;
	}

	return {
		read() {
			const lines = linesIn(path);
			count = lines.length;
			return [...linesIn(asidePath), ...lines];
		},
		add(line) {
			waiting.push(line);
			if (waiting.length > most) {
				waiting.shift();
			}
			writing ??= write();
		},
		flush() {
			// What is under way may stand there twice then.
			const lines = [...underWay, ...waiting];
			waiting = [];
			if (lines.length > 0) {
				appendNow(lines);
			}
			return writing ?? Promise.resolve();
		},
	};

	function appendNow(lines: readonly string[]): void {
		try {
			mkdirSync(dirname(path), { recursive: true, mode: privateFolderMode });
			appendFileSync(path, textOf(lines), { mode: privateFileMode });
		} catch {
			// The disk refuses it, as `add` says.
		}
	}
}

/** Each begins on a line of its own, also behind one that a killed process wrote half. */
function textOf(lines: readonly string[]): string {
	return lines.map((line) => `\n${line}`).join('');
}

function linesIn(path: string): readonly string[] {
	try {
		return readFileSync(path, 'utf8')
			.split('\n')
			.filter((line) => line !== '');
	} catch {
		return [];
	}
}
