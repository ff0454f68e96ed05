import type { Email, ShortEmail, ShortList } from '../../forge/list.ts';
import { decoder, hot, isObject } from './decoding.ts';
import type { Decoder } from './decoding.ts';
import { email, emailFields, patchsetOf, shortEmail } from './email.ts';
import { Glance } from './glance.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Decodes the emails of one page; the same as the schema `email`. */
export function emailDecoder(): Decoder<Email> {
	const glance = new Glance();
	const short = shortReader(glance);
	const whole = (value: unknown): number => glance.whole(value);
	const read = (fields: Fields): Email => ({
		...short(fields),
		isPatch: glance.flag(fields['is_patch']),
		isRequestPull: glance.flag(fields['is_request_pull']),
		replies: glance.maybe(fields['replies'], whole) ?? 0,
		participants: glance.maybe(fields['participants'], whole) ?? 0,
		envelope: glance.text(fields['envelope']),
	});
	return hot((value) => glance.at(value, read), slowEmail);
}

/** Decodes the emails of one page, long or short, in their short form; the same as the schema `shortEmail`. */
export function shortEmailDecoder(): Decoder<ShortEmail> {
	const glance = new Glance();
	const read = shortReader(glance);
	return hot((value) => glance.at(value, read), slowShortEmail);
}

/** Decodes the mails of a thread: long ones where the server sends them, short ones by the document. */
export function threadDecoder(): Decoder<Email | ShortEmail> {
	const long = emailDecoder();
	const short = shortEmailDecoder();
	return (value) => (isObject(value) && typeof value['envelope'] === 'string' ? long(value) : short(value));
}

const noPatchset = patchsetOf(undefined, undefined, undefined);
const slowEmail = decoder(email);
const slowShortEmail = decoder(shortEmail);

function shortReader(glance: Glance): (fields: Fields) => ShortEmail {
	const list = listReader(glance);
	const whole = (value: unknown): number => glance.whole(value);
	const text = (value: unknown): string => glance.text(value);
	const patchset = (value: unknown): ReturnType<typeof patchsetOf> => {
		const { id, version, status } = glance.fields(value);
		return patchsetOf(glance.whole(id), glance.maybe(version, whole), glance.maybe(status, text));
	};
	return (fields) => {
		glance.only(emailFields, fields);
		const id = glance.whole(fields['id']);
		const threadId = glance.maybe(fields['thread_id'], whole);
		return {
			id,
			createdMs: glance.time(fields['created']),
			subject: glance.maybe(fields['subject'], (value) => glance.text(value)) ?? '',
			messageId: glance.text(fields['message_id']),
			parentId: glance.maybe(fields['parent_id'], whole),
			threadId: threadId === id ? undefined : threadId,
			list: glance.maybe(fields['list'], list),
			sender: glance.maybe(fields['sender'], (value) => glance.shortUser(value)),
			...(glance.maybe(fields['patchset'], patchset) ?? noPatchset),
		};
	};
}

function listReader(glance: Glance): (value: unknown) => ShortList {
	let last: ShortList | undefined;
	return (value) => {
		const fields = glance.fields(value);
		const name = glance.text(fields['name']);
		const owner = glance.shortUser(fields['owner']);
		if (last?.name !== name || last.owner !== owner) {
			last = { name, owner };
		}
		return last;
	};
}
