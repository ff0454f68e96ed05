import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { Emitter, type Event } from '../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../base/lifecycle.ts';

/** Tells when a file was written, by whichever window. */
export interface WatchedFile extends Disposable {
	readonly onDidWrite: Event<void>;
}

/** Soon enough for what one window learns to show in another one; a look costs some microseconds. */
const everyMs = 2000;

/** Looks at the file's time and size now and then: what the system tells of files is different on each, and on shared disks nothing. */
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
 * Different once a file was written: each writing replaces it, so that it is another one then even within one tick of the
 * disk's clock. Empty where there is none.
 */
export function signOf(path: string): string {
	try {
		const found = statSync(path, { throwIfNoEntry: false, bigint: true });
		return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : '';
	} catch {
		return ''; // Who reads it is told why.
	}
}
