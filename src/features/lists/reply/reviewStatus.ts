import type { SettablePatchsetStatus } from '../../../forge/port/list.ts';
import type { ReviewDraft } from '../../../engine/review/reviewDraft.ts';
import type { Connection } from '../../../store/connection.ts';
import type { Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import { settableStatus } from '../status/setStatus.ts';

/** How the client sets a status. */
export type StatusWay =
	/** By an API request after all mails. */
	| 'api'
	/** By a header of the last mail. */
	| 'header';

/** The status that a patchset is to get with a review. */
export interface ReviewStatus {
	readonly word: SettablePatchsetStatus;
	readonly way: StatusWay;
}

/** Facts that decide who may set a status. */
type Rights = Pick<Connection, 'me'> & { readonly lists: Pick<Connection['lists'], 'knownList'> };

/**
 * Servers with per-user permissions let moderators set a status by API, others only the owner; more people may by mail
 * (docs/protocol.md#patchset-updates, docs/protocol.md#rights-in-lists).
 */
export function statusWay({ me, lists }: Rights, { ref }: Pick<Reviewed, 'ref'>): StatusWay {
	const isModerator = lists.knownList(ref)?.permissions?.mine?.includes('moderate') === true;
	return me === ref.owner || isModerator ? 'api' : 'header';
}

/** True if the status can be set this way: mails support only the statuses that every server knows. */
export function canBeSet(word: SettablePatchsetStatus, way: StatusWay): boolean {
	return way === 'api' || !word.startsWith('other:');
}

/** Stored status of a review; `undefined` for none, and for a status that can't be set. */
export function reviewStatus(
	connection: Rights,
	of: Pick<Reviewed, 'ref'>,
	{ status }: Pick<ReviewDraft, 'status'>,
): ReviewStatus | undefined {
	const way = statusWay(connection, of);
	const word = status === undefined ? undefined : settableStatus(status);
	return word !== undefined && canBeSet(word, way) ? { word, way } : undefined;
}

/** Status for the header of the last mail. */
export function statusInMail(status: ReviewStatus | undefined): string | undefined {
	return status?.way === 'header' ? status.word : undefined;
}
