// The published face. Sources of this repository import the files.
export { runAtOnce } from '@forge-desk/base/timeSlice.ts';
export { readMail } from './mail/readMail.ts';
export type { MailReading } from './mail/readableMail.ts';
export { parseDiff } from './patch/parseDiff.ts';
export { trySeries, type SeriesTrial } from './patch/trySeries.ts';
export { rangeDiff, type RangeDiff } from './review/rangeDiff.ts';
export { rangePatch } from './review/rangePatch.ts';
export type { ReviewComment } from './review/reviewComment.ts';
export { reviewComments } from './review/reviewComments.ts';
export { trailersOfUnchanged } from './series/earlierTrailers.ts';
export { mailboxOf } from './series/mbox.ts';
export { postedSeries, readMailbox, versionsOf, type PostedSeries } from './series/postedSeries.ts';
export type { GivenTrailer, SeriesMail } from './series/seriesReading.ts';
export { trailersOfThread } from './series/threadTrailers.ts';
