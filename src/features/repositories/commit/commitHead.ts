import * as vscode from 'vscode';
import type { Commit, RepositoryRef, Signer } from '../../../forge/repository.ts';
import type { CommitHeadView, CommitTrailerView, SignatureView } from '../../../protocol/commitView.ts';
import type { MailPersonView } from '../../../protocol/mailView.ts';
import { personIn } from '../../../mail/personIn.ts';
import type { Connection } from '../../../state/connection.ts';
import type { Trailer } from '../../../text/commitTrailers.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { SignatureVerdict } from '../pages/signature.ts';
import { titleOf } from '../subjects/words.ts';
import { commitMessage } from './commitMessage.ts';
import { messagePieces, type MessagePlace } from './messagePieces.ts';

/** Longer text is no explanation; git shows all of it. */
const mostText = 100_000;
const mostTrailers = 100;
const longestValue = 1000;
/** Nobody has merged more at once. */
const mostParents = 100;
/** Of another commit. */
const longestTitle = 100;

/** A commit's own data. Nobody verified the author, so people appear with their addresses. */
export function commitHeadView(
	{ instance, tickets }: Pick<Connection, 'instance' | 'tickets'>,
	ref: RepositoryRef,
	commit: Commit,
	verdict: SignatureVerdict,
): CommitHeadView {
	const { todo, git } = instance.areas;
	const place: MessagePlace = { ref, todo, git, knows: (tracker) => tickets.knownTracker(tracker) !== undefined };
	const { title, body, trailers } = commitMessage(commit.message);
	const isCut = body.length > mostText;
	const author = personView(commit.author);
	const committer = personView(commit.committer);
	return {
		title: messagePieces(visibleLine(title) === '' ? vscode.l10n.t('(no message)') : title, place),
		body: [
			...messagePieces(body.slice(0, mostText), place),
			...(isCut
				? [{ kind: 'text', text: `…\n\n${vscode.l10n.t('The rest of the message is left out.')}` } as const]
				: []),
		],
		trailers: trailers.slice(0, mostTrailers).map((trailer) => trailerView(trailer, place)),
		author,
		committer: author.name === committer.name && author.address === committer.address ? undefined : committer,
		atMs: commit.timestampMs,
		id: visibleLine(commit.id),
		tree: visibleLine(commit.tree),
		parents: commit.parents.slice(0, mostParents).map(visibleLine),
		signature: signatureView(verdict),
	};
}

/** No requests for titles; comparing with a parent loads its title. */
export function parentTitles(
	{ repositories }: Pick<Connection, 'repositories'>,
	ref: RepositoryRef,
	{ parents }: Commit,
): readonly string[] {
	return parents.slice(0, mostParents).map((id) => {
		const known = repositories.knownCommit(ref, id);
		const title = Array.from(known ? titleOf(known) : '');
		return title.length > longestTitle ? `${title.slice(0, longestTitle).join('')}…` : title.join('');
	});
}

function personView({ name, email }: Signer): MailPersonView {
	return { name: visibleLine(name), address: visibleLine(email) };
}

/** Git writes a person's address in angle brackets. */
function trailerView({ key, value }: Trailer, place: MessagePlace): CommitTrailerView {
	const written = value.slice(0, longestValue);
	if (!/<[^<>\s@]+@[^<>\s@]+>/.test(written)) {
		return { key: visibleLine(key), person: undefined, pieces: messagePieces(written, place) };
	}
	const { name, address } = personIn(written);
	const person = { name: visibleLine(name), address: visibleLine(address) };
	return { key: visibleLine(key), person, pieces: [] };
}

/** A verdict in words. Names in it come from the user's own programs. */
function signatureView(verdict: SignatureVerdict): SignatureView {
	switch (verdict.kind) {
		case 'unsigned':
			return { text: vscode.l10n.t('not signed'), tone: 'none' };
		case 'untold':
			return { text: vscode.l10n.t('signature unknown'), tone: 'none' };
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
