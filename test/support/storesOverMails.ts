import type { Forge } from 'sourcehut/port/forge.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import type { Listing } from '../../src/store/shared/listing.ts';
import { wanted } from './contractForge.ts';
import { keptNames } from './fakeConnection.ts';
import { journalInMemory } from './journalInMemory.ts';
import { listsInProcess } from './listsInProcess.ts';
import { mailStores, type MailStores } from './mailStores.ts';
import { standFor } from './standFor.ts';

/** A raw mail and its time of arrival. */
export interface ArrivingMail {
	readonly bytes: Uint8Array;
	readonly arrivedMs: number;
}

interface StoresOverMails extends Pick<MailStores, 'reviews'> {
	readonly ref: { readonly owner: '~alice'; readonly name: string };
	readonly patchsets: readonly Patchset[];
	readonly dispose: () => void;
}

/** The real stores over the sample forge's list service, after they read all threads and patchsets of one list. */
export async function storesOverMails(mails: readonly ArrivingMail[]): Promise<StoresOverMails> {
	const { store, alice, lists: api } = listsInProcess((mails.at(-1)?.arrivedMs ?? 0) + 60_000);
	const list = store.addList(alice, 'devel', null, mails[0]?.arrivedMs ?? 0);
	for (const { bytes, arrivedMs } of mails) {
		store.receive(list, bytes, arrivedMs);
	}
	const ref = { owner: '~alice', name: list.name } as const;
	const lists = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames() });
	const { reviews } = mailStores({ lists, forge: standFor<Forge>({ lists: api }) });
	await readAll(lists.posts(ref));
	await readAll(lists.patchsets(ref));
	// The pages of posts end early (docs/protocol.md), so the forge says where threads begin.
	for (const { id } of list.emails.filter(({ root }) => root === null)) {
		await lists.thread(ref, id, wanted());
	}
	return { reviews, ref, patchsets: lists.knownPatchsets(ref), dispose: () => lists.dispose() };
}

interface Paged {
	readonly first: (signal: AbortSignal) => Promise<Listing<unknown>>;
	readonly more: (signal: AbortSignal) => Promise<Listing<unknown>>;
}

async function readAll(pages: Paged): Promise<void> {
	let { completeness } = await pages.first(wanted());
	while (completeness.kind === 'more' && completeness.isLast !== true) {
		({ completeness } = await pages.more(wanted()));
	}
}
