import type { Clock } from '@forge-desk/base/clock.ts';
import { absentAreas } from 'sourcehut/port/absentAreas.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { archiveClient, type ArchiveClient } from '../http/archiveClient.ts';
import { archiveLists, type ArchiveUse } from './archiveLists.ts';
import { findPlace, inboxesOf } from './findPlace.ts';
import type { ArchiveTransport } from '../http/archiveTransport.ts';

/*
 * The entry of a lazy bundle. The first archive loads it: others import its types only.
 */

export type { ArchiveTransport };

/** All archives of the program. */
export type Archives = ReturnType<typeof openArchives>;

/** Opens nothing yet. `mirrors`: see `archiveCaller`. */
export function openArchives(
	transport: ArchiveTransport,
	clock: Clock,
	mirrors: () => Readonly<Record<string, readonly string[]>>,
) {
	const client = archiveClient({ transport, clock, mirrors });
	return {
		forge: (siteUrl: string, use: ArchiveUse) => archiveForge(client, siteUrl, use),
		findPlace: (url: string, signal: AbortSignal) => findPlace(client, url, signal),
		inboxesOf: (siteUrl: string, signal: AbortSignal) => inboxesOf(client, siteUrl, signal),
	};
}

/** A site of archives as a forge with lists, and without an account. */
function archiveForge(client: ArchiveClient, siteUrl: string, use: ArchiveUse): Forge {
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
