import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { Emitter, type Event } from '../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../base/lifecycle.ts';

/** Fires on writes by any window. */
export interface WatchedFile extends Disposable {
	readonly onDidWrite: Event<void>;
}

/** Fast enough for state shared between windows; a poll costs microseconds. */
const everyMs = 2000;

/** Polls the file's stat: native watchers differ by system and don't work on network disks. */
export function watchedFile(path: string, clock: Clock): WatchedFile {
	const owned = new Disposables();
	const written = owned.add(new Emitter<void>());
	let last = signOf(path);
	let timer = clock.after(everyMs, look);
	owned.add(onDispose(() => timer.dispose()));

	function look(): void {
		const now = signOf(path);
		if (now !== last) {
			last = now;
			written.fire();
		}
		timer = clock.after(everyMs, look);
	}

	return { onDidWrite: written.event, dispose: () => owned.dispose() };
}

/**
 * Fingerprint of a file. Each write replaces the file, so the inode changes even within one tick of the disk's clock.
 * Empty for a missing file.
 */
export function signOf(path: string): string {
	try {
		const found = statSync(path, { throwIfNoEntry: false, bigint: true });
		return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : '';
	} catch {
		return ''; // The reader gets the error.
	}
}
