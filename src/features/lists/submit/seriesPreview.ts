import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { readOnlyFiles } from '../../../editor/documents/readOnlyFiles.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { readSeries } from './readSeries.ts';
import type { PreparedSeries } from './keptSeries.ts';
import type { SubmitParts } from './submitParts.ts';
import { previewText } from './submitWords.ts';

/** Series as documents that are only read. */
const seriesScheme = 'forge-series';

/** Names a series that is prepared. */
export type SeriesName = Pick<PreparedSeries, 'connectionKey' | 'id'>;

/** The read-only file system `forge-series:`. A document follows its series and its cover letter. */
export interface SeriesPreview extends vscode.FileSystemProvider, Disposable {}

export function seriesPreview(parts: SubmitParts): SeriesPreview {
	const { series, drafts, problems } = parts;
	const owned = new Disposables();
	const changed = owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	const ending = new AbortController();
	owned.add({ dispose: () => ending.abort() });
	/** The editor reads a document again only with a later time. */
	let changes = 0;

	function tell(isMeant: (name: SeriesName) => boolean): void {
		const uris = vscode.workspace.textDocuments.map(({ uri }) => uri);
		const meant = uris.filter((uri) => {
			const name = seriesOfUri(uri);
			return name !== undefined && isMeant(name);
		});
		if (meant.length > 0) {
			changes += 1;
			changed.fire(meant.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
		}
	}

	async function bytes(uri: vscode.Uri): Promise<Uint8Array> {
		const name = seriesOfUri(uri);
		await parts.ready();
		const known = name && series.of(name.connectionKey, name.id);
		if (!known) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		try {
			return new TextEncoder().encode(previewText(await readSeries(parts, known, ending.signal)));
		} catch (error) {
			problems.log(error);
			throw vscode.FileSystemError.Unavailable(
				vscode.l10n.t("The commits of these patches can't be read. See the log for details."),
			);
		}
	}

	owned.add(series.onDidChange((name) => tell((each) => each.id === name.id)));
	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'mail') {
				tell(({ id }) => about.name.endsWith(id));
			}
		}),
	);
	const files = readOnlyFiles(bytes);
	return {
		...files,
		onDidChangeFile: changed.event,
		async stat(uri) {
			const stat = await files.stat(uri);
			return { ...stat, mtime: changes };
		},
		dispose: () => owned.dispose(),
	};
}

/** `forge-series://<account>/<id>/Patches to lantern`, the last part being the tab's title. */
export function seriesUri({
	connectionKey: authority,
	id,
	list,
}: SeriesName & Pick<PreparedSeries, 'list'>): vscode.Uri {
	const title = vscode.l10n.t('Patches to {0}', list.name);
	return vscode.Uri.from({ scheme: seriesScheme, authority, path: `/${id}/${title}` });
}

/** The way back, of whatever a command was handed; `undefined` for all else. */
export function seriesOfUri(value: unknown): SeriesName | undefined {
	const { scheme, authority, path } = isRecord(value) ? value : {};
	if (scheme !== seriesScheme || typeof authority !== 'string' || typeof path !== 'string') {
		return undefined;
	}
	const [, id = ''] = path.split('/');
	return id === '' ? undefined : { connectionKey: authority, id };
}
