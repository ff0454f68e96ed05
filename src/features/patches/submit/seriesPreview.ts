import * as vscode from 'vscode';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { followedDocuments } from '../../../editor/documents/followedDocuments.ts';
import { mailsInLanguage } from '../../../editor/documents/mailDrafts.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { seriesOfDraft } from '../../../store/drafts/drafts.ts';
import { readSeries } from './readSeries.ts';
import type { PreparedSeries } from './savedSeries.ts';
import { previewText } from './submitWords.ts';
import type { SubmitContext } from './submitContext.ts';

/** Scheme of read-only series documents. */
const seriesScheme = 'forge-series';

/** Key of a prepared series. */
export interface SeriesName {
	readonly connectionKey: string;
	readonly id: string;
}

/** The read-only file system `forge-series:`. A document follows its series and its cover letter. */
export function seriesPreview(parts: SubmitContext): vscode.FileSystemProvider & Disposable {
	const { series, drafts, problems } = parts;
	const owned = new Disposables();
	const documents = owned.add(
		followedDocuments<SeriesName>(seriesOfUri, async (name, uri, signal) => {
			await parts.ready();
			const known = name && series.of(name.connectionKey, name.id);
			if (!known) {
				throw vscode.FileSystemError.FileNotFound(uri);
			}
			try {
				return previewText(await readSeries(parts, known, signal));
			} catch (error) {
				problems.log(error);
				throw vscode.FileSystemError.Unavailable(
					vscode.l10n.t("The commits of these patches can't be read. See the log for details."),
				);
			}
		}),
	);

	owned.add(mailsInLanguage((uri) => seriesOfUri(uri) !== undefined));
	owned.add(series.onDidChange((name) => documents.tell((each) => each.id === name.id)));
	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'mail') {
				documents.tell(({ id }) => seriesOfDraft(about.name) === id);
			}
		}),
	);
	return { ...documents, dispose: () => owned.dispose() };
}

/** `forge-series://<account>/<id>/Patches to lantern`, the last part being the tab's title. */
export function seriesUri({ connectionKey: authority, id, list }: PreparedSeries): vscode.Uri {
	const title = vscode.l10n.t('Patches to {0}', list.name);
	return vscode.Uri.from({ scheme: seriesScheme, authority, path: `/${id}/${title}` });
}

/** Inverse of the URI, for any argument of a command; `undefined` for anything else. */
export function seriesOfUri(value: unknown): SeriesName | undefined {
	const { scheme, authority, path } = isRecord(value) ? value : {};
	if (scheme !== seriesScheme || typeof authority !== 'string' || typeof path !== 'string') {
		return undefined;
	}
	const [, id = ''] = path.split('/');
	return id === '' ? undefined : { connectionKey: authority, id };
}
