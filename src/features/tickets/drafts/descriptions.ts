import * as vscode from 'vscode';
import { onceAtATime } from '../../../base/onceAtATime.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import { descriptionComplaint } from '../../../editor/owned/newOwned.ts';
import type { OwnedKind } from '../../../editor/owned/ownedKind.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { DraftDocuments } from './draftDocuments.ts';
import { draftOfUri, draftUri, openDraft } from './draftUri.ts';
import { descriptionScheme, isDescription, namedBy, type DescriptionSubject } from './draftSubject.ts';

/** Whose descriptions each kind of documents holds. */
export type DescribedKinds = Readonly<Record<DescriptionSubject['kind'], OwnedKind>>;

/** Descriptions of own trackers, lists and repositories as documents; unsent text is a draft. */
export type Descriptions = ReturnType<typeof descriptions>;

export function descriptions(context: TicketsContext, documents: DraftDocuments, kinds: DescribedKinds) {
	const { connections, drafts } = context;
	/** Initial texts by document address, to detect edits by others. */
	const firsts = new Map<string, string>();
	const once = onceAtATime();
	const lenses = vscode.languages.registerCodeLensProvider(
		{ scheme: descriptionScheme },
		{
			provideCodeLenses({ uri }) {
				const about = descriptionAt(uri);
				const title = about && `$(cloud-upload) ${kinds[about.kind].texts.saveDescription()}`;
				const command = 'forge.trackers.saveDescription';
				return title === undefined
					? []
					: [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [uri] })];
			},
		},
	);

	async function save(about: DescriptionSubject, signal: AbortSignal): Promise<void> {
		const written = documents.textOf(about);
		if (written === undefined) {
			return;
		}
		const text = written.trim().replaceAll('\r\n', '\n');
		const complaint = descriptionComplaint(kinds[about.kind], text);
		if (complaint !== undefined) {
			void notify('warning', complaint);
			return;
		}
		const name = nameOf(about);
		const key = draftUri(about).toString();
		if (!(await sent(about, text, firsts.get(key), signal))) {
			return;
		}
		const since = documents.textOf(about);
		if (since === undefined || since === written) {
			tellBriefly(vscode.l10n.t('Saved the description of {0}', name));
			await documents.finish(about);
			// A reopened document shows the forge's current text.
			firsts.delete(key);
			return;
		}
		// Further typing is based on the text that was just saved.
		firsts.set(key, text);
		void notify(
			'information',
			vscode.l10n.t('Saved the description of {0} without what you typed since. Your text is kept.', name),
		);
	}

	/** `first`: the text on which the draft is based; unknown for drafts from an earlier window. */
	async function sent(
		about: DescriptionSubject,
		text: string,
		first: string | undefined,
		signal: AbortSignal,
	): Promise<boolean> {
		const connection = connectionOf(connections, about);
		if (connection.me !== namedBy(about).owner) {
			// Anybody can make a document address, and some servers address by name alone, so check the owner.
			throw new ForgeError({ kind: 'notAllowed' });
		}
		const kind = kinds[about.kind];
		const now = (await kind.description(connection, namedBy(about), signal))?.trim() ?? '';
		const name = nameOf(about);
		const isAllowed =
			now === first?.trim() ||
			now === text ||
			(await confirmForGood(
				first === undefined
					? vscode.l10n.t('The description of {0} may have changed since you started editing it.', name)
					: vscode.l10n.t('The description of {0} has changed since you opened it.', name),
				vscode.l10n.t('Saving replaces it with your text.'),
				vscode.l10n.t('Overwrite'),
			));
		if (!isAllowed) {
			return false;
		}
		await withProgress(vscode.l10n.t('Saving…'), signal, (working) =>
			kind.describe(connection, namedBy(about), text, working),
		);
		return true;
	}

	return {
		async edit(about: DescriptionSubject) {
			const key = draftUri(about).toString();
			if (!openDraft(about) && !drafts.draft(about)) {
				// A reopened document shows the forge's current text.
				firsts.delete(key);
			}
			await documents.open(about);
		},
		/** Sends the text of the given document, or of the active one, and closes it after the forge accepts. */
		async save(subject: unknown, signal: AbortSignal) {
			const uri =
				isRecord(subject) && subject instanceof vscode.Uri ? subject : vscode.window.activeTextEditor?.document.uri;
			const about = uri && descriptionAt(uri);
			if (!about) {
				throw cancelled();
			}
			await once(draftUri(about).toString(), () => save(about, signal));
		},
		/** Initial text of a document without draft. */
		async firstText(about: DescriptionSubject, signal: AbortSignal) {
			// After a restart, documents open before the accounts connect.
			await context.ready();
			const key = draftUri(about).toString();
			const known = firsts.get(key);
			if (known !== undefined) {
				return known;
			}
			const connection = connectionOf(connections, about);
			const description = (await kinds[about.kind].description(connection, namedBy(about), signal)) ?? '';
			firsts.set(key, description);
			return description;
		},
		dispose: () => void lenses.dispose(),
	};
}

/** The description that a document is about; `undefined` for all other documents. */
function descriptionAt(uri: vscode.Uri): DescriptionSubject | undefined {
	const about = draftOfUri(uri);
	return about && isDescription(about) ? about : undefined;
}

function nameOf(about: DescriptionSubject): string {
	return visibleLine(refText(namedBy(about)));
}
