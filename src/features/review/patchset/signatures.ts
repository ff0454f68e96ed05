import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Disposables } from '@forge-desk/base/lifecycle.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import type { MailAttestation } from 'patchmail/attest/attestation.ts';
import { isSameAddress } from 'patchmail/mail/onlySender.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { SignatureIcon, SignaturesView } from '../../../pages/protocol/patchsetProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { attestationTexts } from '../../lists/mail/attestationTexts.ts';
import { authorsOf } from '../../lists/mail/mailDocuments.ts';
import { titleOf } from '../../lists/subjects/words.ts';

/** A patch and its signatures; `undefined` if its mail is not loaded, or the check failed. */
export interface SignedPatch {
	readonly patch: SeriesPatch;
	readonly found: readonly MailAttestation[] | undefined;
}

/**
 * The signatures of a series' patches, `undefined` until all are checked: one after the other, without a request for
 * their mails. `done`: the view became another one.
 */
export function patchSignatures(
	parts: ListsContext,
	{ signal, owned }: { readonly signal: AbortSignal; readonly owned: Disposables },
	done: () => void,
): (connection: Connection, review: PatchsetReview) => SignaturesView | undefined {
	let checked: { readonly of: PatchsetReview['series']; view: SignaturesView | undefined } | undefined;
	const again = (): void => {
		checked = undefined;
		done();
	};
	owned.add(parts.trust.onDidGrant(again));
	owned.add(parts.signatures.onDidAllow(again));

	async function check(connection: Connection, { patches, count }: PatchsetReview['series']): Promise<SignaturesView> {
		const turn = turns(parts.clock);
		const signed: SignedPatch[] = [];
		for (const patch of patches) {
			const { id, reading } = patch.mail;
			const envelope = connection.texts.known(id)?.mail.envelope;
			// A signature of the sender says nothing about another author inside the patch.
			const authors = authorsOf(reading).filter((each) => isSameAddress(each, patch.patch.author?.address));
			const found = envelope === undefined ? undefined : await checkOne(envelope, authors);
			signed.push({ patch, found });
			await turn(signal);
		}
		return signaturesView(signed, count);
	}

	async function checkOne(envelope: string, authors: readonly string[]): Promise<SignedPatch['found']> {
		try {
			return await parts.signatures.check(envelope, authors, signal);
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			parts.problems.log(error);
			return undefined;
		}
	}

	async function start(now: NonNullable<typeof checked>, connection: Connection): Promise<void> {
		try {
			now.view = await check(connection, now.of);
		} catch {
			// The page closed.
			return;
		}
		done();
	}

	return (connection, { series }) => {
		if (checked?.of !== series) {
			checked = { of: series, view: undefined };
			void start(checked, connection);
		}
		return checked.view;
	};
}

/** Patches with equal sentences share a line, the most doubtful first. `count`: patches that the series announced. */
export function signaturesView(signed: readonly SignedPatch[], count: number): SignaturesView {
	const patches = signed.map(({ patch: { index, mail, patch }, found }) => ({
		mailId: mail.id,
		number: count > 1 ? `${index}/${count}` : '',
		title: titleOf(patch.subject === '' ? mail.subject : patch.subject),
		icon: iconOf(found),
		text: found === undefined ? vscode.l10n.t('The signature was not checked.') : attestationTexts(found).join(' '),
	}));
	const groups = [...Map.groupBy(patches, ({ text }) => text).values()];
	return {
		sums: groups
			.flatMap((same) => {
				const [first] = same;
				return first ? [{ icon: first.icon, text: sumText(first.text, same.length, signed.length) }] : [];
			})
			.toSorted((one, other) => worst.indexOf(one.icon) - worst.indexOf(other.icon)),
		patches: groups.length > 1 ? patches : [],
		mayAskDns: signed.some(({ found = [] }) => found.some(({ state }) => state === 'notAsked')),
	};
}

function sumText(text: string, count: number, all: number): string {
	if (all === 1) {
		return text;
	}
	if (count === all) {
		return vscode.l10n.t('All {0} patches: {1}', all, text);
	}
	return count === 1
		? vscode.l10n.t('1 patch of {0}: {1}', all, text)
		: vscode.l10n.t('{0} patches of {1}: {2}', count, all, text);
}

const worst: readonly SignatureIcon[] = ['changed', 'doubtful', 'unsigned', 'valid'];

/** The worst state: a valid signature proves nothing about another one. */
function iconOf(found: readonly MailAttestation[] | undefined): SignatureIcon {
	if (found === undefined || found.length === 0) {
		return found === undefined ? 'doubtful' : 'unsigned';
	}
	const states = found.map(({ state }) => state);
	return states.includes('changed') ? 'changed' : states.every((state) => state === 'valid') ? 'valid' : 'doubtful';
}
