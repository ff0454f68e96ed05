import { mailboxOf } from 'patchmail/series/mbox.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { unread } from 'patchmail/series/series.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import { headCommit, remainingMails, stagedFiles } from 'hardened-git/applyState.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { ApplyDesk } from './keptApplied.ts';
import { judgedInClone, type Judgement } from './judgedByGit.ts';
import type { SeriesMailbox } from './seriesMailbox.ts';
import type { Standing } from './standing.ts';

/**
 * Git's result on the patches behind a stop, before git goes on: the first trial ended at the conflict. Reads git's own
 * mails, so another window or a terminal may have started the series. `nothing`: the stopped patch is the last one.
 */
export async function judgedRest(
	parts: ApplyDesk,
	{ folder, state }: Standing,
	step: 'continue' | 'skip',
	signal: AbortSignal,
): Promise<Judgement | 'nothing' | undefined> {
	if (state.at >= state.of) {
		return 'nothing';
	}
	try {
		const { git, mailReader } = parts;
		const envelopes = (await remainingMails(git, folder, state, signal)).map(mailText);
		const patches = await Promise.all(
			envelopes.map(async (envelope, at): Promise<SeriesPatch> => {
				const reading = await mailReader.readMail(envelope, { evenIfLarge: true });
				const subject = reading.kind === 'raw' ? '' : reading.mail.subject;
				const index = state.at + at + 1;
				const mail = {
					id: index,
					messageId: '',
					parentId: undefined,
					createdMs: 0,
					subject,
					account: undefined,
					reading,
				};
				return { mail, index, patch: patchMailOf(reading, subject) ?? unread };
			}),
		);
		const mailbox: SeriesMailbox = {
			patches,
			bytes: mailboxOf(envelopes),
			stripped: new Map(),
			with: () => mailbox,
			withoutTrailers: [],
			added: patches.map(() => []),
		};
		const commit = await headCommit(git, folder, signal);
		const staged = step === 'continue' ? await stagedFiles(git, folder, signal) : [];
		return await judgedInClone(parts, { root: folder, commit, staged, isBare: state.isBare }, mailbox, signal);
	} catch (error) {
		if (!(error instanceof GitFailure) && !isFileError(error)) {
			throw error;
		}
		parts.problems.log(error);
		return undefined;
	}
}

/** Git removes its mails when somebody ends the series meanwhile. */
function isFileError(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
