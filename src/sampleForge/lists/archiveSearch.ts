import type { Email } from './mailModel.ts';

type Test = (email: Email) => boolean;

/**
 * Parses an archive search (docs/protocol.md#list-search), in which all terms must match. Returns the reason of a
 * refusal as a text.
 */
export function parseArchiveSearch(text: string): Test | string {
	const words = splitWords(text);
	if (words === undefined) {
		return 'No closing quotation';
	}
	if (words.some((word) => /^!?sender-timestamp:(?!\d+$)/i.test(word))) {
		return 'sender-timestamp takes seconds since 1970';
	}
	const tests = words.map(testOf);
	return (email) => tests.every((test) => test(email));
}

const wordPattern = /\s*((?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+)/gsy;
const piecePattern = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^"'\\]+)/gs;

/** Splits as a shell does: blanks part words, quotes and backslashes keep them together. */
function splitWords(text: string): readonly string[] | undefined {
	const trimmed = text.trim();
	const found = Array.from(trimmed.matchAll(wordPattern));
	const readTo = found.reduce((sum, [all]) => sum + all.length, 0);
	return readTo < trimmed.length ? undefined : found.map(([, word = '']) => unquote(word));
}

function unquote(word: string): string {
	return Array.from(word.matchAll(piecePattern), ([, doubled, single, escaped, plain]) => {
		return doubled?.replaceAll(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain ?? '';
	}).join('');
}

function testOf(word: string): Test {
	const [, negation, key = '', value = ''] = /^(!?)([A-Za-z][A-Za-z0-9-]*):(.*)$/s.exec(word) ?? [];
	if (key === '') {
		return (email) => holds(email.message.subject, word) || holds(email.message.text, word);
	}
	const test = keyTest(key.toLowerCase(), value);
	return negation === '!' ? (email) => !test(email) : test;
}

function keyTest(key: string, value: string): Test {
	switch (key) {
		case 'is': {
			return kindTest(value);
		}
		case 'from':
		case 'to':
		case 'cc': {
			return personTest(key, value);
		}
		case 'status': {
			return ({ patchset }) => patchset?.status === value;
		}
		case 'prefix': {
			return ({ patchset }) => patchset?.prefix === value;
		}
		case 'sender-timestamp': {
			return ({ message }) => Math.floor(Date.parse(message.header('Date') ?? '') / 1000) === Number(value);
		}
		default: {
			return ({ message }) => holds(message.header(key) ?? '', value);
		}
	}
}

function kindTest(kind: string): Test {
	switch (kind) {
		case 'patch': {
			return ({ message }) => message.holdsPatch;
		}
		case 'reply': {
			return ({ parent }) => parent !== null;
		}
		case 'thread': {
			return ({ root }) => root === null;
		}
		default: {
			return () => false;
		}
	}
}

function personTest(key: string, value: string): Test {
	// "me" works on web pages only; the API finds nobody.
	if (value === 'me') {
		return () => false;
	}
	if (key === 'from' && value.startsWith('~')) {
		return ({ sender }) => sender?.name === value.slice(1);
	}
	return ({ message }) => holds(message.header(key) ?? '', value);
}

function holds(text: string, part: string): boolean {
	return text.toLowerCase().includes(part.toLowerCase());
}
