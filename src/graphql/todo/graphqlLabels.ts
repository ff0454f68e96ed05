import type { LabelMaking } from '../../forge/forge.ts';
import { ForgeError, isForgeError } from '../../forge/forgeError.ts';
import type { Label, TrackerRef } from '../../forge/tracker.ts';
import { readBack } from '../door/listed.ts';
import { byName } from '../door/variables.ts';
import { written, type TodoParts } from './todoParts.ts';
import { createLabel, deleteLabel, findLabel, updateLabel } from './trackerDocuments.ts';

/** Labels of own trackers over GraphQL. */
export function graphqlLabels(parts: TodoParts): LabelMaking {
	const { caller, ids } = parts;

	async function numberOf(ref: TrackerRef, name: string, signal: AbortSignal): Promise<number> {
		const id = (await ids.labels(ref, [name], signal)).get(name);
		if (id === undefined) {
			throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
		}
		return id;
	}

	/**
	 * Older servers report another owner's label as missing (docs/protocol.md#graphql-errors), so check that it exists.
	 */
	async function changed<T>(
		ref: TrackerRef,
		name: string,
		write: { readonly work: Promise<T | undefined> },
		signal: AbortSignal,
	): Promise<T> {
		try {
			return await written(parts, { ref, ...write }, signal);
		} catch (error) {
			const isMissing = isForgeError(error) && error.problem.kind === 'notFound';
			const isThere = isMissing && (await ids.labels(ref, [name], signal)).has(name);
			throw isThere ? new ForgeError({ kind: 'notAllowed' }, { cause: error }) : error;
		}
	}

	function readLabel(ref: TrackerRef, name: string, signal: AbortSignal): Promise<Label> {
		return readBack(caller.ask(findLabel, { ...byName(ref), label: name }, signal));
	}

	return {
		async create(ref, { name, colors }, signal) {
			const trackerId = await ids.current(ref, signal);
			const work = caller.ask(createLabel, { trackerId, name, ...colors }, signal);
			await written(parts, { ref, work }, signal);
			return readLabel(ref, name, signal);
		},
		async change(ref, name, { name: newName, colors }, signal) {
			const id = await numberOf(ref, name, signal);
			// The server rejects an unchanged name as a duplicate.
			const input = {
				...(newName === undefined || newName === name ? {} : { name: newName }),
				...(colors ? { foregroundColor: colors.text, backgroundColor: colors.background } : {}),
			};
			await changed(ref, name, { work: caller.ask(updateLabel, { id, input }, signal) }, signal);
			return readLabel(ref, newName ?? name, signal);
		},
		async remove(ref, name, signal) {
			const id = await numberOf(ref, name, signal);
			await changed(ref, name, { work: caller.ask(deleteLabel, { id }, signal) }, signal);
		},
	};
}
