import type { Clock } from '@forge-desk/base/clock.ts';
import { absentAreas } from 'sourcehut/port/absentAreas.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { archiveClient } from '../http/archiveClient.ts';
import { newestEpoch, type ArchiveReads } from '../http/archiveReads.ts';
import { heldLists, type HeldPlace } from '../local/heldLists.ts';
import { MailboxError } from '../local/mailSource.ts';
import { archiveLists, type ArchiveUse } from './archiveLists.ts';
import { forgeErrorOf } from './archiveProblem.ts';
import { findPlace, inboxesOf } from './findPlace.ts';
import { heldReads, problemOf } from './heldReads.ts';
import type { ArchiveTransport } from '../http/archiveTransport.ts';

/*
 * The entry of a lazy bundle. The first archive loads it: others import its types only.
 */

export type { ArchiveTransport, HeldPlace };

/** All archives of the program. */
export type Archives = ReturnType<typeof openArchives>;

/** Opens nothing yet. `mirrors`: see `archiveCaller`. */
export function openArchives(
	transport: ArchiveTransport,
	clock: Clock,
	mirrors: () => Readonly<Record<string, readonly string[]>>,
	place: HeldPlace,
) {
	const network = archiveClient({ transport, clock, mirrors });
	const epochOf = (url: string, signal: AbortSignal): Promise<string | undefined> => newestEpoch(network, url, signal);
	const held = heldLists(place, epochOf, () => clock.nowMs());
	const client = heldReads(held.all, network, clock);
	return {
		forge: (siteUrl: string, use: ArchiveUse) => archiveForge(client, siteUrl, use),
		findPlace: (url: string, signal: AbortSignal) => findPlace(client, url, signal),
		inboxesOf: (siteUrl: string, signal: AbortSignal) => inboxesOf(client, siteUrl, signal),
		/** Lists on this machine. */
		held,
		/** Reads a mailbox, as a list from then on. Throws ForgeError. */
		async openMailbox(path: string, onProgress: (mails: number) => void, signal: AbortSignal) {
			try {
				return await held.openMailbox(path, onProgress, signal);
			} catch (error) {
				throw error instanceof MailboxError ? problemOf(error, path) : error;
			}
		},
		/** Downloads a list for offline reading, or its new mails. Throws ForgeError, and `GitFailure`. */
		async keep(
			inboxUrl: string,
			size: Parameters<typeof held.keep>[1],
			onProgress: (mails: number) => void,
			signal: AbortSignal,
		): Promise<void> {
			try {
				await held.keep(await client.inbox(inboxUrl, signal), size, onProgress, signal);
			} catch (error) {
				throw error instanceof MailboxError ? problemOf(error, inboxUrl) : forgeErrorOf(error);
			}
		},
	};
}

/** A site of archives as a forge with lists, and without an account. */
function archiveForge(client: ArchiveReads, siteUrl: string, use: ArchiveUse): Forge {
	return {
		...absentAreas,
		me: '',
		users: {
			async user(_, name, signal) {
				const [email] = name === undefined ? await use.ownAddresses(signal) : [];
				if (name !== undefined) {
					throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
				}
				return { canonicalName: '', name: '', email, url: undefined, location: undefined, bio: undefined };
			},
		},
		lists: archiveLists(client, siteUrl, use),
	};
}
