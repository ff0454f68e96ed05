import * as vscode from 'vscode';
import { cancelled, chooseSeveral } from '../../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { isSameAddress } from 'patchmail/mail/onlySender.ts';
import { addressPair, secondAddresses } from 'patchmail/series/samePeople.ts';
import type { GivenTrailer, SecondAddress } from 'patchmail/series/seriesReading.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { mayBeStopped } from 'hardened-git/applyState.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { usualAddresses } from 'hardened-git/mailmap.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { cloneOfPatches } from './openClone.ts';

/**
 * The same review without doubts about second addresses that a clone's `.mailmap` or the user's own identities prove.
 * `root`: top folder of the clone. If git fails, the doubts stay.
 */
export async function withProvenAddresses(
	parts: ListsContext,
	connection: Connection,
	review: PatchsetReview,
	root: string | undefined,
	signal: AbortSignal,
): Promise<PatchsetReview> {
	const { reviews } = connection;
	const doubts = reviews.doubts(review.ref);
	if (doubts.length === 0) {
		return review;
	}
	const isProven = await proofs(parts, connection, doubts, root, signal).catch((error: unknown) => {
		if (!(error instanceof GitFailure)) {
			throw error;
		}
		parts.problems.log(error);
		return () => false;
	});
	const proven = doubts.filter(isProven);
	reviews.prove(review.ref, new Set(proven.map(({ sender, named }) => addressPair(sender.address, named.address))));
	return reviews.known(review.ref) ?? review;
}

/** The same by the open clone of the patches. */
export async function provenInOpenClone(
	parts: ListsContext,
	connection: Connection,
	review: PatchsetReview,
	signal: AbortSignal,
): Promise<PatchsetReview> {
	const hasDoubts = connection.reviews.doubts(review.ref).length > 0;
	const clone =
		hasDoubts && parts.trust.isTrusted() ? await cloneOfPatches(parts, connection, review, signal) : undefined;
	return withProvenAddresses(parts, connection, review, clone?.root.fsPath, signal);
}

async function proofs(
	{ git, trust, mailer }: ListsContext,
	{ instance, me, people }: Connection,
	doubts: readonly SecondAddress[],
	root: string | undefined,
	signal: AbortSignal,
): Promise<(doubt: SecondAddress) => boolean> {
	const identity = trust.isTrusted() ? await mailer.identity(instance, root, signal) : undefined;
	const own = [people.ownAddress() ?? people.known(me)?.address, identity?.address];
	const isOwn = (address: string): boolean => own.some((each) => isSameAddress(each, address));
	// During a series, HEAD has a `.mailmap` that its sender may have changed.
	const isUsable = root !== undefined && trust.isTrusted() && !(await mayBeStopped(root));
	const everyone = doubts.flatMap(({ sender, named }) => [sender, named]);
	const usual = isUsable ? await usualAddresses(git, root, everyone, signal) : undefined;
	return ({ sender, named }) =>
		(usual !== undefined && isSameAddress(usual(sender), usual(named))) ||
		(isOwn(sender.address) && isOwn(named.address));
}

/** Offers to remember the second addresses of trailers that the user chose. Not awaited: notices may stay open for hours. */
export async function offerSamePeople({ reviews }: Connection, chosen: readonly GivenTrailer[]): Promise<void> {
	const remember = vscode.l10n.t('Remember as One Person');
	for (const { sender, named } of secondAddresses(chosen)) {
		const pair = [sender.address, named.address] as const;
		const text = vscode.l10n.t(
			'You added a trailer of {1} that {0} sent. If both addresses are of one person, later trailers need no question.',
			...pair.map(visibleLine),
		);
		if ((await notify('information', text, remember)) === remember) {
			await reviews.samePeople.confirm(pair);
		}
	}
}

/** Lists the second addresses that the user confirmed, and forgets the chosen ones. */
export async function forgetSamePeople({ connections }: ListsContext): Promise<void> {
	const all = connections
		.all()
		.flatMap(({ reviews }) => reviews.samePeople.all().map((pair) => ({ pair, people: reviews.samePeople })));
	if (all.length === 0) {
		void notify(
			'information',
			vscode.l10n.t('No second addresses are remembered. Apply a patchset with a doubtful trailer to remember one.'),
		);
		return;
	}
	const choices = all.map((value) => ({ label: value.pair.map(visibleLine).join(', '), picked: false, value }));
	const chosen = await chooseSeveral(
		vscode.l10n.t('Choose second addresses to forget'),
		vscode.l10n.t('Their trailers are doubtful again'),
		[{ heading: vscode.l10n.t('Remembered as one person'), choices }],
	);
	if (chosen.length === 0) {
		throw cancelled();
	}
	for (const [people, pairs] of Map.groupBy(chosen, (each) => each.people)) {
		await people.forget(pairs.map(({ pair }) => pair));
	}
	tellBriefly(vscode.l10n.t('Forgotten'));
}
