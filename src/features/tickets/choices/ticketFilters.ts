import { Emitter } from '../../../base/event.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { TrackerRef } from '../../../forge/port/tracker.ts';
import { parseFilter } from '../../../engine/search/parseFilter.ts';
import type { Connections } from '../../../store/connection.ts';
import type { KeptNames } from '../../../store/shared/keptNames.ts';
import type { FilterPlace, TicketFilters } from './filterState.ts';
import { putSaved, readSaved, removeSaved, type FilterEntry, type FilterSetting } from './savedFilters.ts';

export interface TicketFiltersParts {
	readonly setting: FilterSetting;
	readonly connections: Connections;
	/** Lines that outlive the window: those of an account by its key, forgotten with it, and those of `all`. */
	readonly kept: (owner: string) => KeptNames;
	/** Called now and after each change, with whether any filter is applied. */
	readonly tellFiltered: (isFiltered: boolean) => void;
}

/** Filters with the operations on saved ones. */
export interface EditableFilters extends TicketFilters, Disposable {
	readonly canShare: () => boolean;
	/** Replaces the entry called `replaced`, or appends. False, without a write, if the setting is not a list. */
	save(where: FilterPlace, entry: FilterEntry, replaced: string): Promise<boolean>;
	remove(where: FilterPlace, name: string): Promise<boolean>;
	/** Removes all applied filters. */
	clear(): Promise<void>;
}

/**
 * Stores applied filters in the editor's storage. A tracker's line is `~owner/name filter`, unambiguous because
 * references contain no blanks.
 */
export function ticketFilters({ setting, connections, kept, tellFiltered }: TicketFiltersParts): EditableFilters {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());

	function tell(): void {
		const isFiltered = onAll() !== undefined || connections.all().some(({ key }) => kept(key).all().some(isApplied));
		tellFiltered(isFiltered);
		changed.fire();
	}

	function onAll(): string | undefined {
		return readable(kept('all').all()[0]);
	}

	async function keep(owner: string, lines: readonly string[]): Promise<void> {
		await kept(owner).keep(lines);
		tell();
	}

	owned.add(setting.onDidChange(() => changed.fire()));
	owned.add(connections.onDidChange(tell));
	tell();

	return {
		saved: () => readSaved(setting),
		onTracker(connectionKey, ref) {
			const begin = lineStart(ref);
			const line = kept(connectionKey)
				.all()
				.find((each) => each.startsWith(begin));
			return readable(line?.slice(begin.length));
		},
		onAll,
		async setOnTracker(connectionKey, ref, filter) {
			const begin = lineStart(ref);
			const others = kept(connectionKey)
				.all()
				.filter((line) => !line.startsWith(begin));
			await keep(connectionKey, filter === undefined ? others : [...others, `${begin}${filter}`]);
		},
		setOnAll: (filter) => keep('all', filter === undefined ? [] : [filter]),
		async clear() {
			for (const { key } of connections.all()) {
				await kept(key).keep([]);
			}
			await keep('all', []);
		},
		canShare: () => setting.hasWorkspace(),
		save: (where, entry, replaced) => putSaved(setting, where, entry, replaced),
		remove: (where, name) => removeSaved(setting, where, name),
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

function lineStart(ref: TrackerRef): string {
	return `${refText(ref)} `;
}

/** True for a line that holds a tracker's rows to anything. */
function isApplied(line: string): boolean {
	return readable(line.slice(line.indexOf(' ') + 1)) !== undefined;
}

/** A text stored by another version may be invalid here. */
function readable(filter: string | undefined): string | undefined {
	return filter !== undefined && parseFilter(filter).kind === 'filter' ? filter : undefined;
}
