import { isAbort } from '@forge-desk/base/abort.ts';
import { madeCommits, type MadeCommit } from 'hardened-git/applyState.ts';
import { actingTrailer, trailersOf } from 'patchmail/series/commitTrailers.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { originOf } from 'sourcehut/port/instance.ts';
import { ticketsNamed } from '../../../store/mentions/namedTickets.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { AppliedFact } from '../../lists/checks/appliedCommits.ts';
import type { ApplyContext, AppliedPatchset } from './savedApplied.ts';

/**
 * Notes the commits of an applied patchset up to `to`, and their push. A failure only goes to the log, because git's
 * work is done.
 */
export async function noteApplied(
	parts: ApplyContext,
	record: AppliedPatchset,
	to: string,
	pushed: AppliedFact['pushed'],
	signal: AbortSignal,
): Promise<void> {
	const { git, connections, appliedCommits, clock, problems } = parts;
	const { subject, folder, before, branch, given = [] } = record;
	try {
		const { reviews, instance } = connectionOf(connections, subject);
		const { series } = reviews.known(subject.ref) ?? (await reviews.read(subject.ref, signal));
		const made = await madeCommits(git, folder, { from: before, to }, signal);
		const earlier = appliedCommits.of(subject);
		await appliedCommits.put({
			subject,
			branch,
			commits: commitsOf(
				made,
				series.patches.filter(({ mail }) => given.some((each) => each.mail === mail.id)),
			),
			leftOut: series.patches.flatMap(({ mail, index }) =>
				given.some((each) => each.mail === mail.id) ? [] : [index],
			),
			tickets: ticketsOf(made, originOf(instance, 'todo')),
			appliedMs: pushed && earlier ? earlier.appliedMs : clock.nowMs(),
			pushed,
			thanks: earlier?.thanks,
		});
	} catch (error) {
		if (isAbort(error) && signal.aborted) {
			throw error;
		}
		problems.log(error);
	}
}

/** A commit belongs to the first patch with its subject that has none yet. */
function commitsOf(made: readonly MadeCommit[], patches: readonly SeriesPatch[]): AppliedFact['commits'] {
	const left = [...patches];
	return made.map(({ id, message }) => {
		const subject = message.split('\n', 1)[0] ?? '';
		const at = left.findIndex(({ patch }) => patch.subject === subject);
		const [patch] = at === -1 ? [] : left.splice(at, 1);
		return { id, subject, index: patch?.index ?? 0 };
	});
}

/** Tickets that trailers of the commits resolve, each once. A ticket without a tracker names none of this forge. */
function ticketsOf(made: readonly MadeCommit[], todoOrigin: string): AppliedFact['tickets'] {
	const found = new Map<string, AppliedFact['tickets'][number]>();
	for (const { message } of made) {
		for (const { key, value } of trailersOf(message)) {
			const trailer = actingTrailer(key);
			const tickets =
				trailer === undefined || trailer === 'References' ? [] : ticketsNamed(`${trailer}: ${value}`, [todoOrigin], 0);
			for (const { owner, name, id } of tickets) {
				const ref = `${owner}/${name}#${id}`;
				if (
					trailer !== undefined &&
					trailer !== 'References' &&
					owner !== undefined &&
					name !== undefined &&
					!found.has(ref)
				) {
					found.set(ref, { tracker: { owner, name }, id, trailer });
				}
			}
		}
	}
	return Array.from(found.values());
}
