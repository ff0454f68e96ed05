import * as vscode from 'vscode';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { patchsetName, patchsetNamed } from 'sourcehut/port/list.ts';
import { firstMailOfFormed, isNumbered } from 'patchmail/series/listedPatchset.ts';
import type { Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import type { PatchsetSubject } from './subjects.ts';

/** Scheme of read-only review documents. */
const reviewScheme = 'forge-review';

/** `forge-review://<account>/<~owner>/<list>/<patchset>/Review of patchset 7`. The last part is the tab's title. */
export function reviewUri({ connectionKey: authority, ref: { list, id } }: Reviewed): vscode.Uri {
	const mail = firstMailOfFormed(id);
	const title =
		!isNumbered(id) && mail === undefined
			? vscode.l10n.t('Review')
			: mail === undefined
				? vscode.l10n.t('Review of patchset {0}', id)
				: vscode.l10n.t('Review of message {0}', mail);
	return vscode.Uri.from({
		scheme: reviewScheme,
		authority,
		path: `/${list.owner}/${list.name}/${patchsetName(id)}/${title}`,
	});
}

/** A generated mail of a review, without manual edits. `messageId`: the answered mail. */
export function madeMailUri(of: Reviewed, messageId: string): vscode.Uri {
	const { scheme, authority, path } = reviewUri(of);
	return vscode.Uri.from({ scheme, authority, path, query: messageId });
}

/** Inverse of `madeMailUri`; `undefined` for whole reviews. */
export function madeMailOfUri({ query }: vscode.Uri): string | undefined {
	return query === '' ? undefined : query;
}

/** Inverse of `reviewUri` for any command argument; `undefined` for everything else. */
export function reviewOfUri(value: unknown): Reviewed | undefined {
	const { scheme, authority, path } = isRecord(value) ? value : {};
	if (scheme !== reviewScheme || typeof authority !== 'string' || typeof path !== 'string') {
		return undefined;
	}
	const [, owner = '', name = '', written = ''] = path.split('/');
	const id = patchsetNamed(written);
	return owner !== '' && name !== '' && id !== undefined
		? { connectionKey: authority, ref: { list: { owner, name }, id } }
		: undefined;
}

/** Command argument for the patchset of a review. */
export function subjectOfReview({ connectionKey, ref }: Reviewed): PatchsetSubject {
	return { kind: 'patchset', connectionKey, ref };
}
