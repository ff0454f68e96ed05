import * as vscode from 'vscode';
import type { PullView } from '../../../pages/protocol/pageProtocol.ts';
import { fetchCommand } from 'patchmail/series/fetchCommand.ts';
import type { PullRequestMail } from 'patchmail/series/seriesReading.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { repositoryOfRemote } from '../../../engine/text/remoteAddress.ts';
import { safeLink } from '../../../engine/text/linkPolicy.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { webOf } from '../../../editor/links/webOf.ts';
import { originOf } from 'sourcehut/port/instance.ts';

/** The repository address is remote text: link it only to a connected forge. */
export function pullView(pull: PullRequestMail, connections: Connections): PullView {
	const { repository, reference, since, upTo } = pull;
	const commits = [
		...(since === undefined ? [] : [vscode.l10n.t('since {0}', visibleLine(since.slice(0, 200)))]),
		...(upTo === undefined ? [] : [vscode.l10n.t('up to {0}', visibleLine(upTo.slice(0, 200)))]),
	];
	const link = safeLink(repository, repository);
	const origin = link?.kind === 'web' ? URL.parse(link.href)?.origin : undefined;
	const isKnown = connections.all().some(({ instance }) => URL.parse(originOf(instance, 'git'))?.origin === origin);
	const href = link && origin !== undefined && isKnown ? link.href : undefined;
	const asked = (reference ?? '').slice(0, 500);
	const revision = asked.replace(/^refs\/(?:heads|tags)\//, '');
	const pulled = pulledRepository(pull, connections);
	return {
		repository: visibleLine(repository.slice(0, 500)),
		href,
		reference: visibleLine(asked),
		referenceHref:
			href === undefined || asked === ''
				? undefined
				: pulled && webOf(pulled.connection.instance).address({ kind: 'reference', ref: pulled.ref, revision }),
		note: commits.join(', '),
		hasChanges: pulledCommits(pull) !== undefined && pulled !== undefined,
		canFetch: fetchCommand(pull) !== undefined,
	};
}

/** The source repository of a pull request with the account that reads it. */
export interface PulledRepository {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
}

/** `undefined` if no connected forge has the address; `first` takes precedence. */
export function pulledRepository(
	{ repository }: PullRequestMail,
	connections: Connections,
	first?: Connection,
): PulledRepository | undefined {
	for (const connection of [...(first ? [first] : []), ...connections.all()]) {
		const ref = repositoryOfRemote(repository, originOf(connection.instance, 'git'));
		if (ref) {
			return { connection, ref };
		}
	}
	return undefined;
}

/** First and last commit of the pull request, if the mail names them. */
export function pulledCommits({
	since,
	upTo,
	reference,
}: PullRequestMail): { readonly before: string; readonly after: string } | undefined {
	const after = upTo ?? reference?.replace(/^refs\/(?:heads|tags)\//, '');
	return since === undefined || after === undefined || after === '' ? undefined : { before: since, after };
}
