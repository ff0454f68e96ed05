// The published face. Sources of this repository import the files.
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { mailsOf, readMailbox } from './files/readMailbox.ts';
import { readMail } from './mail/readMail.ts';
import type { MailReading } from './mail/readableMail.ts';
import { parseDiff } from './patch/parseDiff.ts';
import { trySeries, type SeriesTrial } from './patch/trySeries.ts';
import { rangeDiff, type RangeDiff } from './review/rangeDiff.ts';
import { rangePatch } from './review/rangePatch.ts';
import type { ReviewComment } from './review/reviewComment.ts';
import { reviewComments } from './review/reviewComments.ts';
import { trailersOfUnchanged } from './series/earlierTrailers.ts';
import { mailboxOf } from './series/mbox.ts';
import { postedSeries, versionsOf, type PostedSeries } from './series/postedSeries.ts';
import type { GivenTrailer, SeriesMail } from './series/seriesReading.ts';
import { trailersOfThread } from './series/threadTrailers.ts';

export type { GivenTrailer, MailReading, PostedSeries, RangeDiff, ReviewComment, SeriesMail, SeriesTrial };
export {
	mailboxOf,
	mailsOf,
	parseDiff,
	postedSeries,
	rangeDiff,
	rangePatch,
	readMail,
	readMailbox,
	reviewComments,
	runAtOnce,
	trailersOfThread,
	trailersOfUnchanged,
	trySeries,
	versionsOf,
};
