import { Disposables } from '../../../base/lifecycle.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import type { MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { CommentThreads } from '../review/commentThreads.ts';
import { commentBoxes } from './commentBoxes.ts';
import type { Mailer } from './mailer.ts';
import { reviewReader } from './readReview.ts';
import { reviewCommands } from './reviewCommands.ts';
import type { TypedComments } from './typedComments.ts';
import { mailCommands } from './writeMail.ts';
import { reviewPreview, type ReviewPreview } from './reviewPreview.ts';

/** Replies and reviews. */
export interface ReplyFeature extends Feature {
	/** Previews of reviews, `forge-review:`. */
	readonly previews: ReviewPreview;
}

export interface ReplyFeatureParts extends ListsParts {
	readonly threads: CommentThreads;
	readonly typed: Pick<TypedComments, 'added' | 'editEnded'>;
	readonly mailer: Mailer;
	/** Documents for writing mails. */
	readonly documents: MailDraftDocuments;
	/** A name that nothing else has. */
	readonly newName: () => string;
}

/** Composes what belongs to writing. */
export function replyFeature(given: ReplyFeatureParts): ReplyFeature {
	const owned = new Disposables();
	const parts = { ...given, reader: reviewReader(given) };
	return {
		previews: owned.add(reviewPreview(parts)),
		commands: { ...commentBoxes(parts), ...reviewCommands(parts), ...mailCommands(parts) },
		dispose: () => owned.dispose(),
	};
}
