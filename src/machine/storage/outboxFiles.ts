import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { OutboxFile, OutboxPlace } from '../../store/outbox/sharedQueue.ts';
import { isMissing } from './objectFiles.ts';
import { flushFile, isGone, privateFolderMode, replaceNow } from './replaceNow.ts';

/** Other windows see a change within this time. */
const everyMs = 2000;
/** A request ends long before. The lease covers process ids that the system reuses. */
const leaseMs = 10 * 60_000;

/** Order, id, and the computer and process id of a holder. */
const namePattern = /^(\d{1,15})\.([\w-]{1,120})(?:\.([0-9a-f]{8})\.(\d{1,15}))?\.json$/;

interface FoundFile {
	readonly name: string;
	readonly order: number;
	readonly id: string;
	readonly holder: 'nobody' | 'this' | 'other';
}

/**
 * A folder with one file per item. A process holds an item by renaming its file to a name with its process id. The
 * rename succeeds for one process only. A dead process holds nothing. `pid`: of this window.
 */
export function outboxFiles(folder: string, pid: number, clock: Clock): OutboxPlace & Disposable {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const computer = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
	const pathOf = (name: string): string => join(folder, name);
	const freeName = (order: number, id: string): string => `${String(order).padStart(6, '0')}.${id}.json`;
	const heldName = (order: number, id: string): string =>
		`${String(order).padStart(6, '0')}.${id}.${computer}.${pid}.json`;
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

	function names(): readonly string[] {
		try {
			return readdirSync(folder);
		} catch (error) {
			if (isMissing(error)) {
				return [];
			}
			throw error;
		}
	}

	function holderOf(name: string, where: string | undefined, of: number): FoundFile['holder'] {
		if (where === undefined) {
			return 'nobody';
		}
		if (where === computer && of === pid) {
			return 'this';
		}
		const writtenMs = statSync(pathOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
		const isEnded = where === computer && isGone(of);
		return isEnded || clock.nowMs() - writtenMs > leaseMs ? 'nobody' : 'other';
	}

	function found(): readonly FoundFile[] {
		return names().flatMap((name) => {
			const [, order, id, where, of] = namePattern.exec(name) ?? [];
			return order === undefined || id === undefined
				? []
				: [{ name, order: Number(order), id, holder: holderOf(name, where, Number(of)) }];
		});
	}

	/** The file of an item that this process holds. Throws if another process took it over meanwhile. */
	function ownFile(id: string): FoundFile {
		const own = found().find((each) => each.id === id && each.holder === 'this');
		if (!own) {
			throw new Error('Another window has taken over this queued change');
		}
		return own;
	}

	async function write(name: string, text: string): Promise<void> {
		mkdirSync(folder, { recursive: true, mode: privateFolderMode });
		replaceNow(pathOf(name), text);
		await flushFile(pathOf(name));
	}

	return {
		add: (order, id, text) => write(freeName(order, id), text),
		all() {
			return found().flatMap(({ name, order, id, holder }): readonly OutboxFile[] => {
				try {
					return [{ id, order, text: readFileSync(pathOf(name), 'utf8'), isHeld: holder !== 'nobody' }];
				} catch (error) {
					if (isMissing(error)) {
						// Another window has just renamed or removed it.
						return [];
					}
					throw error;
				}
			});
		},
		hold(id) {
			const free = found().find((each) => each.id === id);
			if (free?.holder !== 'nobody') {
				return undefined;
			}
			const to = pathOf(heldName(free.order, id));
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
