import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { OutboxFile, OutboxPlace } from '../../store/outbox/sharedQueue.ts';
import { isMissing, namesIn } from './objectFiles.ts';
import { flushFile, privateFolderMode, processMark, processOf, replaceNow } from './replaceNow.ts';

/** Other windows see a change within this time. */
const everyMs = 2000;
/** A request ends long before. The lease covers process ids that the system reuses. */
const leaseMs = 10 * 60_000;

/** Order, id, and the mark of a holder. */
const namePattern = /^(\d{1,15})\.([\w-]{1,120})(?:\.([0-9a-f]{8}\.\d{1,15}(?:\.[0-9a-f]{1,15})?))?\.json$/;
const suffix = '.json';

interface FoundFile {
	readonly name: string;
	readonly order: number;
	readonly id: string;
	readonly holder: 'nobody' | 'this' | 'other';
}

/**
 * A folder with one file per item. A process holds an item by renaming its file to a name with its mark. The rename
 * succeeds for one process only. A dead process holds nothing. `own`: mark of this process.
 */
export function outboxFiles(
	folder: string,
	clock: Clock,
	own: string = processMark(process.pid),
): OutboxPlace & Disposable {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const pathOf = (name: string): string => join(folder, name);
	const freeName = (order: number, id: string): string => `${String(order).padStart(6, '0')}.${id}${suffix}`;
	const names = (): readonly string[] => namesIn(folder);
	let seen = names().join('\n');
	let timer = clock.after(everyMs, look);
	owned.add(onDispose(() => timer.dispose()));

	function look(): void {
		const now = names().join('\n');
		if (now !== seen) {
			seen = now;
			changed.fire();
		}
		timer = clock.after(everyMs, look);
	}

	const found = (): readonly FoundFile[] => names().flatMap((name) => fileOf(folder, name, own, clock) ?? []);

	/** The file of an item that this process holds. Throws if another process took it over meanwhile. */
	function ownFile(id: string): FoundFile {
		const held = found().find((each) => each.id === id && each.holder === 'this');
		if (!held) {
			throw new Error('Another window has taken over this queued change');
		}
		return held;
	}

	async function write(name: string, text: string): Promise<void> {
		mkdirSync(folder, { recursive: true, mode: privateFolderMode });
		replaceNow(pathOf(name), text);
		await flushFile(pathOf(name));
	}

	return {
		add: (order, id, text) => write(freeName(order, id), text),
		all: () => itemsIn(folder, own, clock),
		hold(id) {
			const free = found().find((each) => each.id === id);
			if (free?.holder !== 'nobody') {
				return undefined;
			}
			const to = pathOf(`${String(free.order).padStart(6, '0')}.${id}.${own}${suffix}`);
			try {
				renameSync(pathOf(free.name), to);
				// A rename keeps the file's time, and the lease counts from now.
				utimesSync(to, clock.nowMs() / 1000, clock.nowMs() / 1000);
				return readFileSync(to, 'utf8');
			} catch (error) {
				if (isMissing(error)) {
					return undefined;
				}
				throw error;
			}
		},
		rewrite: async (id, text) => write(ownFile(id).name, text),
		release(id) {
			const { name, order } = ownFile(id);
			renameSync(pathOf(name), pathOf(freeName(order, id)));
		},
		remove: (id) => rmSync(pathOf(ownFile(id).name), { force: true }),
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

/** The items of accounts that are not signed in. `signedIn`: folders of the others. */
export function leftOutboxes(folder: string, signedIn: ReadonlySet<string>, clock: Clock): readonly OutboxFile[] {
	return namesIn(folder)
		.filter((name) => !signedIn.has(name))
		.flatMap((name) => [join(folder, name), join(folder, name, 'mails')])
		.flatMap((place) => itemsIn(place, processMark(process.pid), clock));
}

/** A file or folder that cannot be read does not hide the others. */
function itemsIn(folder: string, own: string, clock: Clock): readonly OutboxFile[] {
	return namesIn(folder).flatMap((name): readonly OutboxFile[] => {
		if (!name.endsWith(suffix)) {
			return [];
		}
		const path = join(folder, name);
		const { id = name, order = 0, holder = 'nobody' } = fileOf(folder, name, own, clock) ?? {};
		const file = { id, order, isHeld: holder !== 'nobody', path };
		try {
			const text = readFileSync(path, 'utf8');
			return [{ ...file, text: id === name ? undefined : text }];
		} catch (error) {
			// Another window may have just renamed or removed it.
			return isMissing(error) ? [] : [{ ...file, text: undefined }];
		}
	});
}

function fileOf(folder: string, name: string, own: string, clock: Clock): FoundFile | undefined {
	const [, order, id, mark] = namePattern.exec(name) ?? [];
	return order === undefined || id === undefined
		? undefined
		: { name, order: Number(order), id, holder: mark === undefined ? 'nobody' : holderOf(join(folder, name), mark) };

	function holderOf(path: string, of: string): FoundFile['holder'] {
		const process = processOf(of, own);
		if (process === 'unknown') {
			const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
			// The clock may have been set back.
			return Math.abs(clock.nowMs() - writtenMs) > leaseMs ? 'nobody' : 'other';
		}
		return process === 'this' ? 'this' : 'nobody';
	}
}
