import * as vscode from 'vscode';
import type { MailAttestation } from 'patchmail/attest/attestation.ts';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** The signatures of a message as sentences. */
export function attestationTexts(all: readonly MailAttestation[]): readonly string[] {
	return all.length === 0 ? [vscode.l10n.t('Not signed.')] : Array.from(new Set(all.map(attestationText)));
}

function attestationText({ kind, state, signer, keyring }: MailAttestation): string {
	const name = visibleLine(signer);
	switch (state) {
		case 'valid':
			return kind === 'dkim'
				? vscode.l10n.t('Signed by the domain {0}.', name)
				: keyring === undefined
					? vscode.l10n.t('Signed by {0}.', name)
					: vscode.l10n.t('Signed by {0}, with a key from "{1}".', name, visibleLine(keyring));
		case 'changed':
			return signer === ''
				? vscode.l10n.t('A signature does not match: the message was changed on the way or tampered with.')
				: vscode.l10n.t(
						'The signature of {0} does not match: the message was changed on the way or tampered with.',
						name,
					);
		case 'byList':
			return vscode.l10n.t(
				'Signed in the name of {0}. A list sent the message on, perhaps with a prefix or footer, and the signature no longer matches.',
				name,
			);
		case 'unknownKey':
			return signer === ''
				? vscode.l10n.t('Signed with an unknown key.')
				: vscode.l10n.t('Signed in the name of {0}, with an unknown key.', name);
		case 'otherSigner':
			// Nobody checked a signature that says nothing about the author.
			return vscode.l10n.t('Signed in the name of {0}, who is not the author.', name);
		case 'notAsked':
			return vscode.l10n.t('Signed in the name of {0}, and not checked: the key is in DNS.', name);
		case 'notChecked':
			return signer === ''
				? vscode.l10n.t('Signed, and the signature was not checked.')
				: vscode.l10n.t('Signed in the name of {0}, and the signature was not checked.', name);
		default:
			return assertNever(state);
	}
}
