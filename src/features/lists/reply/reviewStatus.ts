import type { SettablePatchsetStatus } from '../../../forge/list.ts';
import type { ReviewDraft } from '../../../review/reviewDraft.ts';
import type { Connection } from '../../../state/connection.ts';
import type { Reviewed } from '../../../state/drafts/reviewDrafts.ts';
import { settableStatus } from '../status/setStatus.ts';

/** How a forge is told of a status. */
export type StatusWay =
	/** By a request of its own, once all mails are sent. */
	| 'api'
	/** By a header of the last mail. */
	| 'header';

/** The status that a patchset is to get with a review. */
export interface ReviewStatus {
	readonly word: SettablePatchsetStatus;
	readonly way: StatusWay;
}

/** What says who may set a status. */
type Rights = Pick<Connection, 'me'> & { readonly lists: Pick<Connection['lists'], 'knownList'> };

/**
 * Servers that tell what one may do in a list let its moderators set a status by a request, others nobody but its owner; by
 * mail others may, too (docs/protocol.md#patchset-updates, docs/protocol.md#rights-in-lists).
 */
export function statusWay({ me, lists }: Rights, { ref }: Pick<Reviewed, 'ref'>): StatusWay {
	const isModerator = lists.knownList(ref)?.permissions?.mine?.includes('moderate') === true;
	return me === ref.owner || isModerator ? 'api' : 'header';
}

/** Whether a status can be set so: mails name those that every server knows. */
export function canBeSet(word: SettablePatchsetStatus, way: StatusWay): boolean {
	return way === 'api' || !word.startsWith('other:');
}

/** The status that is kept in a review; `undefined` for none, and for one that can't be set. */
export function reviewStatus(
	connection: Rights,
	of: Pick<Reviewed, 'ref'>,
	{ status }: Pick<ReviewDraft, 'status'>,
): ReviewStatus | undefined {
	const way = statusWay(connection, of);
	const word = status === undefined ? undefined : settableStatus(status);
	return word !== undefined && canBeSet(word, way) ? { word, way } : undefined;
}

/** What the last mail says of it. */
export function statusInMail(status: ReviewStatus | undefined): string | undefined {
	return status?.way === 'header' ? status.word : undefined;
}
