import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { JournalPlace, OrphanedFile } from '../state/shared/writeJournal.ts';
import { isMissing } from './objectFiles.ts';
import { flushFile, isGone, privateFolderMode, replaceNow } from './replaceNow.ts';

/** Living windows with entries renew every minute. The lease covers process ids that the system reuses. */
const leaseMs = 10 * 60_000;

/** Process id in the name of a released file. */
const nobody = 0;

export interface JournalFilesParts {
	/** Absolute path of the account's folder. */
	readonly folder: string;
	/** False after sign-out: then nothing is written. */
	readonly isThere: () => boolean;
	/** Process id of this window. */
	readonly pid: number;
	readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * One file per window, named by computer and process id. A window adopts a file by renaming it to its own process id. The
 * rename succeeds for one window only, and the file can be adopted again if that window crashes.
 */
export function journalFiles({ folder, isThere, pid, clock }: JournalFilesParts): JournalPlace {
	const computer = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
	const newName = (of: number): string => `writes.${computer}.${of}.${randomBytes(4).toString('hex')}.json`;
	const pathOf = (name: string): string => join(folder, name);
	const own = newName(pid);
	/** The own file, and adopted files that are not removed yet. */
	const ours = new Set([own]);

	function isLeft(name: string, minAgeMs: number): boolean {
		const [, where, of] = /^writes\.([0-9a-f]{8})\.(\d{1,15})\.[0-9a-f]{8}\.json$/.exec(name) ?? [];
		const writtenMs = statSync(pathOf(name), { throwIfNoEntry: false })?.mtimeMs;
		if (where === undefined || ours.has(name) || writtenMs === undefined) {
			return false;
		}
		// File times have fractions of a millisecond, and the clock may have been set back.
		const ageMs = Math.max(0, clock.nowMs() - writtenMs);
		return ageMs > leaseMs || (where === computer && isEnded(Number(of)) && ageMs >= minAgeMs);
	}

	function taken(name: string): OrphanedFile | undefined {
		const to = newName(pid);
		try {
			renameSync(pathOf(name), pathOf(to));
			ours.add(to);
			return { text: readFileSync(pathOf(to), 'utf8'), remove: () => rmSync(pathOf(to), { force: true }) };
		} catch (error) {
			if (isMissing(error)) {
				// Another window adopted it first.
				return undefined;
			}
			throw error;
		}
	}

	return {
		async write(text) {
			if (!isThere()) {
				return;
			}
			if (text === '') {
				return rmSync(pathOf(own), { force: true });
			}
			mkdirSync(folder, { recursive: true, mode: privateFolderMode });
			replaceNow(pathOf(own), text);
			await flushFile(pathOf(own));
		},
		renew() {
			const nowS = clock.nowMs() / 1000;
			try {
				utimesSync(pathOf(own), nowS, nowS);
			} catch {
				// `write` reports a failing disk.
			}
		},
		release() {
			for (const name of ours) {
				try {
					renameSync(pathOf(name), pathOf(newName(nobody)));
				} catch (error) {
					if (!isMissing(error)) {
						throw error;
					}
				}
			}
		},
		adopt(minAgeMs) {
			return namesIn(folder)
				.filter((name) => isLeft(name, minAgeMs))
				.flatMap((name) => taken(name) ?? []);
		},
	};
}

function isEnded(pid: number): boolean {
	return pid === nobody || isGone(pid);
}

function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		if (isMissing(error)) {
			return [];
		}
		throw error;
	}
}
