import { bareSubject, isRecord } from '../../../editor/commands/subjects.ts';
import type { FilterPlace } from './filterState.ts';

export interface FilterSubject {
	readonly kind: 'filter';
	readonly name: string;
	readonly where: FilterPlace;
}

/** Subject of commands on the unsaved filter over all trackers. */
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
