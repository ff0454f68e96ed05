import * as vscode from 'vscode';
import type { SignatureView } from '../../../protocol/commitView.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { SignatureVerdict } from '../pages/signature.ts';

/** A verdict in words. Names in it are those that the user's own programs told. */
export function signatureView(verdict: SignatureVerdict): SignatureView {
	switch (verdict.kind) {
		case 'unsigned':
			return { text: vscode.l10n.t('not signed'), tone: 'none' };
		case 'notVerified':
			return { text: vscode.l10n.t('signed, not verified'), tone: 'none' };
		case 'good':
			return {
				text: vscode.l10n.t(
					'signed by {0}, verified with the key {1}',
					visibleLine(verdict.signer),
					visibleLine(verdict.key),
				),
				tone: 'good',
			};
		case 'bad':
			return { text: vscode.l10n.t('the signature does not match this commit'), tone: 'bad' };
		case 'unknownKey':
			return {
				text:
					verdict.key === undefined
						? vscode.l10n.t('signed, not verified: you do not have the key')
						: vscode.l10n.t('signed, not verified: you do not have the key {0}', visibleLine(verdict.key)),
				tone: 'none',
			};
	}
}
