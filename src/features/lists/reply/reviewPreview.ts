import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { followedDocuments } from '../../../editor/documents/followedDocuments.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { watchConnections } from '../../../state/connection.ts';
import type { Reviewed } from '../../../state/drafts/reviewDrafts.ts';
import type { ReadReviewParts, ReviewReader } from './readReview.ts';
import { notWritableText, previewText } from './sendWords.ts';

/** Reviews as documents that are only read. */
const reviewScheme = 'forge-review';

export interface ReviewPreviewParts extends Pick<ReadReviewParts, 'connections' | 'drafts'> {
	readonly reader: ReviewReader;
	/** Settles once everybody who is signed in now is connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Pick<Problems, 'explain' | 'log'>;
}

/** The read-only file system `forge-review:`. A document follows its review, so it always shows what would be sent now. */
export interface ReviewPreview extends vscode.FileSystemProvider, Disposable {}

export function reviewPreview({ connections, drafts, reader, ready, problems }: ReviewPreviewParts): ReviewPreview {
	const owned = new Disposables();
	const documents = owned.add(followedDocuments<Reviewed>({ of: reviewOfUri, text }));

	async function text(of: Reviewed | undefined, uri: vscode.Uri, signal: AbortSignal): Promise<string> {
		if (!of) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		await ready();
		try {
			const review = await reader.read(of, signal);
			return 'kind' in review ? notWritableText(review) : previewText(review);
		} catch (error) {
			problems.log(error);
			throw isForgeError(error) && error.problem.kind === 'notFound'
				? vscode.FileSystemError.FileNotFound(uri)
				: vscode.FileSystemError.Unavailable(problems.explain(error).message);
		}
	}

	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'review' && about.part.kind !== 'sending') {
				documents.tell((of) => isSame(of, about));
			}
		}),
	);
	owned.add(
		watchConnections(
			connections,
			({ key, reviews }) => [
				reviews.onDidChange(({ list, id }) =>
					documents.tell((of) => isSame(of, { connectionKey: key, ref: list, patchsetId: id })),
				),
			],
			() => documents.tell(() => true),
		),
	);
	return { ...documents, dispose: () => owned.dispose() };
}

/** `forge-review://<account>/<~owner>/<list>/<patchset>/Review of patchset 7`, the last part being the tab's title. */
export function reviewUri({ connectionKey: authority, ref, patchsetId }: Reviewed): vscode.Uri {
	const title = vscode.l10n.t('Review of patchset {0}', patchsetId);
	return vscode.Uri.from({
		scheme: reviewScheme,
		authority,
		path: `/${ref.owner}/${ref.name}/${patchsetId}/${title}`,
	});
}

/** The way back, of whatever a command was handed; `undefined` for all else. */
export function reviewOfUri(value: unknown): Reviewed | undefined {
	const { scheme, authority, path } = isRecord(value) ? value : {};
	if (scheme !== reviewScheme || typeof authority !== 'string' || typeof path !== 'string') {
		return undefined;
	}
	const [, owner = '', name = '', id = ''] = path.split('/');
	return owner !== '' && name !== '' && /^[1-9]\d{0,14}$/.test(id)
		? { connectionKey: authority, ref: { owner, name }, patchsetId: Number(id) }
		: undefined;
}

function isSame(one: Reviewed, other: Reviewed): boolean {
	return (
		one.connectionKey === other.connectionKey &&
		one.patchsetId === other.patchsetId &&
		refText(one.ref) === refText(other.ref)
	);
}
