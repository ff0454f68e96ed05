import { bareSubject, isRecord } from '../../../editor/commands/subjects.ts';
import type { FilterPlace } from './filterState.ts';

/** What a command on a saved filter is about. */
export interface FilterSubject {
	readonly kind: 'filter';
	readonly name: string;
	readonly where: FilterPlace;
}

/** What a command on the queue of the filter over all trackers is about, which is not saved. */
export interface AppliedFilterSubject {
	readonly kind: 'appliedFilter';
}

/** Reads a row or a bare subject; `undefined` for everything else. */
export function filterSubject(value: unknown): FilterSubject | AppliedFilterSubject | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate)) {
		return undefined;
	}
	const { kind, name, where } = candidate;
	if (kind === 'appliedFilter') {
		return { kind };
	}
	return kind === 'filter' && typeof name === 'string' && (where === 'user' || where === 'workspace')
		? { kind, name, where }
		: undefined;
}
