import * as vscode from 'vscode';
import { withProgress } from '../../editor/ask/progress.ts';
import { bareSubject, connectionOf, isRecord } from '../../editor/commands/subjects.ts';
import type { OwnerName } from '../../forge/user.ts';
import { onlySender } from '../../mail/onlySender.ts';
import type { Connection } from '../../state/connection.ts';
import { askPerson } from './askPerson.ts';
import type { PeopleParts } from './peopleParts.ts';
import { isOwnerName, personSubject, sentMail, sentSeries, type PersonSubject, type SentMail } from './subjects.ts';
import { writtenName } from './writtenName.ts';

/**
 * Person for a command: a given name, the sender of a given mail or patchset, or one that the user chooses. `undefined`
 * if the mail names no sender.
 */
export async function personTarget(
	parts: PeopleParts,
	subject: unknown,
	signal: AbortSignal,
): Promise<PersonSubject | undefined> {
	const given = personSubject(subject) ?? written(parts, subject);
	if (given) {
		return given;
	}
	const sent = sentMail(subject) ?? sentSeries(subject);
	if (!sent) {
		return askPerson(parts, signal);
	}
	const connection = connectionOf(parts.connections, sent);
	const isMail = sentMail(subject) !== undefined;
	const name = await (isMail ? senderOf(connection, sent, signal) : submitterOf(connection, sent, signal));
	return name === undefined ? undefined : { kind: 'person', connectionKey: sent.connectionKey, name };
}

/** A bare name in any notation, or `name` with its account. */
function written({ connections }: PeopleParts, value: unknown): PersonSubject | undefined {
	const candidate = bareSubject(value);
	const { connectionKey, name } = isRecord(candidate) ? candidate : { connectionKey: undefined, name: candidate };
	const told = typeof connectionKey === 'string' ? connections.byKey(connectionKey) : undefined;
	if (typeof name !== 'string' || (isRecord(candidate) && !told)) {
		return undefined;
	}
	for (const { key, instance } of told ? [told] : connections.all()) {
		const found = writtenName(name, instance);
		if (found !== undefined) {
			return { kind: 'person', connectionKey: key, name: found };
		}
	}
	return undefined;
}

/** The sender's account if the forge knows one, otherwise the address from the mail. */
async function senderOf(connection: Connection, mail: SentMail, signal: AbortSignal): Promise<OwnerName | undefined> {
	const account = knownSender(connection, mail);
	if (account !== undefined) {
		return account;
	}
	const text = await withProgress(vscode.l10n.t('Looking up the sender…'), signal, (working) =>
		connection.texts.read(mail.id, working),
	);
	const address = text.reading.kind === 'read' ? onlySender(text.reading.mail)?.address : undefined;
	return text.mail.sender?.canonicalName ?? (address !== undefined && isOwnerName(address) ? address : undefined);
}

async function submitterOf(
	{ lists, instance }: Connection,
	{ list, id }: SentMail,
	signal: AbortSignal,
): Promise<OwnerName | undefined> {
	const ref = { list, id };
	return withProgress(vscode.l10n.t('Looking up the sender…'), signal, async (working) => {
		const { submitter, coverLetter } = await lists.patchset(ref, working);
		const written = submitter === undefined ? undefined : writtenName(submitter, instance);
		const account = coverLetter?.sender?.canonicalName ?? written;
		// By the contract a patchset without cover letter has no sender; its patches do.
		return account ?? (await lists.series(ref, working)).patches[0]?.sender?.canonicalName;
	});
}

function knownSender({ lists }: Connection, { list, id }: SentMail): OwnerName | undefined {
	const known = lists.knownMail(id) ?? lists.knownPosts(list)?.items.find((each) => each.id === id);
	return known?.sender?.canonicalName;
}
