import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { privateFileMode, privateFolderMode } from './replaceNow.ts';

/** An append-only file shared by all windows: for frequent lines that must survive a crash without blocking. */
export type FileLines = ReturnType<typeof fileLines>;

/** Holds the newest `most` lines and up to as many older ones. A full file replaces the previous aside file. */
export function fileLines(path: string, most: number) {
	const asidePath = `${path}.old`;
	let waiting: string[] = [];
	let underWay: readonly string[] = [];
	let writing: Promise<void> | undefined;
	/** Lines in the current file, as known to this window. */
	let count = 0;

	async function write(): Promise<void> {
		while (waiting.length > 0) {
			underWay = waiting;
			waiting = [];
			try {
				await mkdir(dirname(path), { recursive: true, mode: privateFolderMode });
				// Another window may have put the full file aside.
				if (count >= most && (count = linesIn(path).length) >= most) {
					count = 0;
					// A missing file also has room.
					await rename(path, asidePath).catch(() => undefined);
				}
				await appendFile(path, textOf(underWay), { mode: privateFileMode });
				count += underWay.length;
			} catch {
				// Ignores disk errors, see `add`.
			}
			underWay = [];
		}
		writing = undefined;
	}

	return {
		/** Lines of all windows, oldest first; empty when unreadable. */
		read(): readonly string[] {
			const lines = linesIn(path);
			count = lines.length;
			return [...linesIn(asidePath), ...lines];
		},
		/** Queues a line. Lost on a disk error; a slow disk drops the oldest. */
		add(line: string) {
			waiting.push(line);
			if (waiting.length > most) {
				waiting.shift();
			}
			writing ??= write();
		},
		/** Writes synchronously before returning; resolves after writes in progress. Never rejects. */
		flush() {
			// Lines in progress may appear twice.
			const lines = [...underWay, ...waiting];
			waiting = [];
			if (lines.length > 0) {
				try {
					mkdirSync(dirname(path), { recursive: true, mode: privateFolderMode });
					appendFileSync(path, textOf(lines), { mode: privateFileMode });
				} catch {
					// Ignores disk errors, see `add`.
				}
			}
			return writing ?? Promise.resolve();
		},
	};
}

/** Starts with a line feed, because a crashed process may have left a partial line. */
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
