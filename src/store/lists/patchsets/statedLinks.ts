import { isAbort } from '@forge-desk/base/abort.ts';
import type { StatedVersions } from 'patchmail/series/statedVersions.ts';
import { versionOf } from 'patchmail/series/versions.ts';
import { isAway } from 'sourcehut/port/isAway.ts';
import type { ListRef, Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import type { ListStore } from '../listStore.ts';

/** A patchset and the links in its mails. */
export interface StatingPatchset {
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
	readonly stated: StatedVersions;
}

/** Finds the patchsets behind the links in mails. */
export function statedLinks(lists: ListStore) {
	/** Message-IDs of missing mails, and of mails without a patchset. */
	const without = new Set<string>();

	async function find(list: ListRef, messageId: string, signal: AbortSignal): Promise<Patchset | undefined> {
		const named = lists.patchsetWith(messageId, list);
		if (named || without.has(messageId)) {
			return named;
		}
		const known = lists.knownMailNamed(messageId, list)?.mail ?? (await lists.mails.hereNamed(messageId));
		const { patchsetId: id } = known ?? (await lists.mails.mailNamed({ messageId, list }, signal));
		if (id === undefined) {
			without.add(messageId);
		}
		return id === undefined ? undefined : lists.patchset({ list, id }, signal);
	}

	/** The patchset of a mail, if it can be read. Throws an abort only. */
	async function patchsetOf(list: ListRef, messageId: string, signal: AbortSignal): Promise<Patchset | undefined> {
		try {
			return await find(list, messageId, signal);
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			if (!isAway(error)) {
				without.add(messageId);
			}
			return undefined;
		}
	}

	return {
		patchsetOf,
		/**
		 * The patchsets of `Link to vN:` lines, and `others` with the same `change-id:`. A line counts if N is lower than the own
		 * version and equal to the version of the patchset. Omits unreadable mails. Throws an abort only.
		 */
		async of(
			{ ref: { list, id }, patchset, stated: { changeId, links } }: StatingPatchset,
			others: readonly StatingPatchset[],
			signal: AbortSignal,
		): Promise<readonly number[]> {
			const found = new Set<number>();
			for (const { messageId, version } of links.filter((link) => link.version < versionOf(patchset))) {
				const linked = await patchsetOf(list, messageId, signal);
				if (linked && versionOf(linked) === version) {
					found.add(linked.id);
				}
			}
			const same = others.filter((other) => changeId !== undefined && other.stated.changeId === changeId);
			same.forEach((other) => found.add(other.ref.id));
			found.delete(id);
			return [...found];
		},
	};
}
