// Parsers of text by strangers or users. Some import the editor: import `vscodeStub.ts` first, and load this with
// `await import(…)`.
import { forgeHost } from '../../src/editor/accounts/forgeEntry.ts';
import { withoutStatistics } from '../../src/features/review/patchset/patchView.ts';
import { proseBlocks } from '../../src/features/lists/mail/mailBlocks.ts';

import { writtenName } from '../../src/features/people/peopleFeature.ts';
import { commitMessage } from '../../src/features/repositories/commit/openCommit.ts';
import { messagePieces } from '../../src/features/repositories/commit/messagePieces.ts';
import { nameText } from '../../src/features/repositories/models/repositoryTools.ts';
import { placeOfPath, placeOfSide } from '../../src/features/repositories/subjects/place.ts';
import { canBeRevision } from '../../src/features/repositories/questions/referenceItems.ts';
import { placeInTree } from '../../src/features/repositories/start/readmeFile.ts';
import { wantedPictures } from '../../src/features/repositories/start/openRepository.ts';

import { readTyped } from '../../src/features/goTo/readTyped.ts';
import { readTicket } from '../../src/features/tickets/newTicket/newTicketText.ts';
import { fencedCode, todoText } from '../../src/features/tickets/newTicket/codeInTickets.ts';
import { branchName } from '../../src/features/tickets/work/branchName.ts';
import { completionSite } from '../../src/features/tickets/references/completionSite.ts';
import { namedTickets } from '../../src/features/tickets/references/referencePlaces.ts';

import { patchSubject, subjectOfThread } from 'patchmail/series/patchSubject.ts';
import { linesOfFragment } from 'sourcehut/web/repositoryWay.ts';
import { statedChanges } from 'sourcehut/port/statedChanges.ts';
import { webDestination, pastedList, pastedReference, pastedRepository } from 'sourcehut/web/readAddress.ts';
import { newestVersionFirst } from 'patchmail/git/tagVersion.ts';
import { parseRetryAfter } from 'sourcehut/http/exchange.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';
import { serverWords } from 'sourcehut/identity/signInError.ts';
import { readPastedToken } from 'sourcehut/identity/token.ts';
import { isSafeFolderName, isSafeRefName, isSafeRevision } from 'hardened-git/gitNames.ts';
import { readGpgStatus } from 'hardened-git/verifySignature.ts';
import { receivedMebibytes } from 'hardened-git/limitedFetch.ts';
import { bytesOfMail, gitPatch } from 'patchmail/mail/gitPatch.ts';
import { decodeWords } from 'patchmail/mail/encodedWords.ts';
import { encodedWords } from 'patchmail/mail/encodeWords.ts';
import { wordsToGit } from 'patchmail/mail/gitWords.ts';
import { senderIn } from 'patchmail/mail/onlySender.ts';
import { holdsDiff } from 'patchmail/mail/readMail.ts';
import { plainAddresses } from 'patchmail/mail/plainAddresses.ts';
import { printedPeople } from 'patchmail/mail/printedPeople.ts';
import { readDelivery } from 'sourcehut/rest/deliveryHints.ts';
import { problemOf } from 'sourcehut/rest/problems.ts';
import { timestampMs } from 'sourcehut/answers/timestamp.ts';
import { parseListFilter, timeSpanOf } from '../../src/engine/search/mails/listFilter.ts';
import type { IndexedTicket } from '../../src/engine/search/indexedTicket.ts';
import { nearest } from '../../src/engine/search/filterWords.ts';
import { parseTicketFilter } from '../../src/engine/search/ticketFilter.ts';
import { foldPath, pathQuery } from '../../src/engine/search/paths/fuzzyPath.ts';
import { typedPath } from '../../src/engine/search/paths/typedPath.ts';
import { similaritySteps } from '../../src/engine/search/similarTickets.ts';
import { pathFilter } from '../../src/engine/search/texts/pathGlob.ts';
import { readTextQuery } from '../../src/engine/search/texts/textQuery.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { patchId } from 'patchmail/patch/patchId.ts';
import { openQuestions } from 'patchmail/review/openQuestions.ts';
import { rangePatch } from 'patchmail/review/rangePatch.ts';
import { reviewComments } from 'patchmail/review/reviewComments.ts';
import { amCommand } from 'patchmail/series/amCommand.ts';
import { mailForGit, quotedReturns } from 'patchmail/series/mailForGit.ts';
import { commitSubject } from 'patchmail/series/patchMail.ts';
import { messageParts } from 'patchmail/series/messageParts.ts';
import { statedVersions } from 'patchmail/series/statedVersions.ts';
import { ticketsNamed } from '../../src/store/mentions/namedTickets.ts';
import { linksInReplies } from 'patchmail/series/offeredLines.ts';
import { ownLines } from 'patchmail/series/ownLines.ts';
import { personIn } from 'patchmail/mail/personIn.ts';
import { pullRequestOf } from 'patchmail/series/pullRequest.ts';
import { readSeries } from 'patchmail/series/series.ts';
import { subjectPlace } from 'patchmail/series/subjectPlace.ts';
import { trailerLines } from 'patchmail/series/trailerLines.ts';
import { verdictIn } from 'patchmail/series/verdict.ts';
import { versionTitle } from 'patchmail/series/versions.ts';
import { trackerRefOf } from '../../src/store/tickets/trackerRefs.ts';
import { listRefOf } from '../../src/store/lists/lists.ts';
import { stepsOf } from '../../src/store/repositories/repositoryEntries.ts';
import { referenceOf } from '../../src/store/repositories/repositoryReferences.ts';
import { repositoryRefOf } from '../../src/store/repositories/repositoryRef.ts';
import { commentSpans, proseSpans } from '../../src/engine/text/commentSpans.ts';
import { messageEnd, trailersOf, withTrailer } from 'patchmail/series/commitTrailers.ts';
import { escapeMarkdown } from '../../src/engine/text/escapeMarkdown.ts';
import { safeFileName } from '../../src/engine/text/fileName.ts';
import { linkedText } from '../../src/engine/text/linkedText.ts';
import { safeLink } from '../../src/engine/text/linkPolicy.ts';
import { markdownRenderer } from '../../src/engine/text/markdown.ts';
import { referencesIn } from '../../src/engine/text/references.ts';
import { listOfAddresses, repositoryOfRemote } from '../../src/engine/text/remoteAddress.ts';
import { untrustedFrame } from '../../src/engine/text/untrustedFrame.ts';
import { nameOfSender, pillsInHtml, visible, visibleLine } from '../../src/engine/text/visible.ts';
import { sampleInstance } from './fakeConnection.ts';
import { makeTicket } from './makeTicket.ts';
import { makeSeriesMail, patchText } from './makeSeries.ts';
import { webOf } from '../../src/editor/links/webOf.ts';

/** A text parser and the words of its grammar. */
export interface TextParser {
	readonly name: string;
	readonly tokens: readonly string[];
	readonly read: (text: string) => unknown;
	/**
	 * Divides the length of texts in small runs, because a healthy parser takes milliseconds there, and the number of
	 * texts in full runs.
	 */
	readonly slowness?: number;
	/** It pauses between short steps, so its total time does not block. */
	readonly rests?: true;
}

const patched = [makeSeriesMail({ subject: '[PATCH] a', body: patchText('a/b.c', 'Why') })];
const patchedSeries = readSeries(patched);
const { todo, git, lists } = sampleInstance.areas;
const ref = { owner: '~a', name: 'b' };
const renderer = markdownRenderer({ image: 'Picture', taskDone: 'Done', taskOpen: 'To do' });
const web = webOf(sampleInstance);
const tracker = { base: `${todo}/~a/b/1`, web, tracker: ref };
const readme = { base: `${git}/~a/b/tree/main/item/README.md`, web, owner: '~a' };
const id = '0123456789abcdef0123456789abcdef01234567';
const utf8 = new TextEncoder();

const replies = [
	'> ',
	'>',
	'| ',
	': ',
	'&gt; ',
	'ML> ',
	'\n',
	' ',
	'[...]\n',
	'On Mon, Mar 2, 2026 at 9:01 AM A <a@b.c> wrote:\n',
	'From: A\nSent: 2026\nSubject: a\n',
	'-----Original Message-----\n',
	'-- \n',
	'diff --git a/b b/b\n--- a/b\n+++ b/b\n',
	'@@ -1,9 +1,9 @@\n',
	'+\treturn false;\n',
	'> +\treturn false;\n',
	'> }\n',
	'what is it? ',
	'=20\n',
	'&amp;',
	'\u00A0',
	'_',
	'`',
	'a',
];
const blanks = [' ', '\t', '\n', '\r\n'];
const addresses = [
	'https://',
	todo,
	git,
	'/~a',
	'/b',
	'/12',
	'/',
	'#event-3',
	'?x=',
	'&',
	'%2e',
	'@',
	':',
	'.',
	'~',
	'a',
	'-',
];
const people = [
	'a',
	'<',
	'>',
	'@',
	'"',
	'\\',
	'(',
	')',
	',',
	';',
	'.',
	'~a',
	'mailto:',
	' ',
	'\t',
	'é',
	'=?utf-8?q?a?=',
];
const references = [
	'#12',
	'#',
	'~a',
	'~',
	'/b',
	'b',
	'.',
	'-',
	'_',
	' ',
	'(',
	')',
	'\n',
	`${todo}/~a/b/1`,
	'https://',
	',',
	'1',
];
const subjects = ['[PATCH', '[', ']', 'v2', '1/2', ' ', 'Re:', 're: ', 'a', '/', '\t', 'RFC', 'é', 'patch', '\n', ': '];
const trailers = [
	'Signed-off-by',
	'A-by',
	':',
	' ',
	'\t',
	'\n',
	'<a@b.test>',
	'<',
	'@',
	'a',
	'-',
	'#',
	'# -',
	'>8',
	'Fixes: #1',
	'\r\n',
];
const prose = [
	'a',
	' ',
	'\n',
	'> ',
	'>',
	'On ',
	'wrote:',
	'-',
	'--',
	'-----',
	'https://a.test/',
	'#1',
	'~a',
	'.',
	'From: ',
	'Subject: ',
	'\t',
	'|',
];
const names = [
	'a',
	'/',
	'.',
	'..',
	'-',
	'_',
	'~',
	' ',
	'\\',
	':',
	'%2e',
	'^',
	'é',
	'\u202E',
	'\0',
	'.lock',
	'con',
	'∕',
	'refs/',
];
const filters = [
	'label:',
	'status:',
	'!',
	'"',
	'\\',
	"'",
	' ',
	'a',
	'-',
	'sort:',
	'~a',
	'no:',
	':',
	'#1',
	'sent:',
	'>2026-01',
	',',
];
const markdown = [
	'*',
	'_',
	'`',
	'~~',
	'[',
	']',
	'(',
	')',
	'![',
	'](a)',
	'<',
	'>',
	'|',
	'-',
	'# ',
	'\n',
	'> ',
	'1. ',
	'    ',
	'```',
	'a',
	'&',
	'\\',
	' ',
	'https://a.test/',
	'#1',
	'~a',
	'- [ ] ',
	'[a]: b\n',
	'x@y.test',
	'|-|',
];
const paths = ['a', '/', './', '..', '*', '**', '?', '{', '}', ',', '!', ':', '1', ' ', '\\', 'é', '[', ']'];
const diffstat = [
	' a',
	' | ',
	'1',
	'+',
	'-',
	'Bin',
	'\n',
	' files changed',
	' 1 file changed',
	', 2 insertions(+)',
	'...',
	' create mode ',
	' ',
	'\r',
	'diff --git ',
];
const code = [
	'"',
	"'",
	'`',
	'/',
	'*',
	'//',
	'/*',
	'*/',
	'#',
	'\\',
	'\n',
	' ',
	'a',
	'(',
	'[',
	']',
	'=',
	'return ',
	'<!--',
	'-->',
	'--',
	';',
	'```',
	'TODO',
	'FIXME',
	':',
	'${',
	'}',
];
const markup = [
	'<',
	'>',
	'<p>',
	'</',
	'a',
	'&lt;',
	'&',
	'"',
	'=',
	' ',
	'\n',
	'(needs ',
	')',
	'token',
	'<a@b>',
	';',
	'\u202E',
];
const requests = [
	`The following changes since commit ${id}:`,
	'\n',
	'\r',
	' ',
	'are available in the Git repository at:',
	'  https://a.test/~a/b main',
	`for you to fetch changes up to ${id}:`,
	'a',
	'\t',
	'<',
	'>',
];
const heads = [
	'From: ',
	'from:',
	'Subject: ',
	'Date: ',
	'\n',
	' ',
	'\t',
	'[PATCH] ',
	'a',
	'>From ',
	id,
	'---',
	'--- a',
	'\r',
	'diff --git a/b a/b\n',
	'-- \n',
];

export const textParsers: readonly TextParser[] = [
	...over(addresses, {
		'forge that was typed': (text) => forgeHost(text),
		'way on the forge': (text) => webDestination(new URL(`${todo}/${text}`), sampleInstance),
		'way on its repositories': (text) => webDestination(new URL(`${git}/~a/b/${text}`), sampleInstance),
		'way on its lists': (text) => webDestination(new URL(`${lists}/~a/b/${text}#${text}`), sampleInstance),
		'pasted ticket': (text) => pastedReference(text, todo),
		'pasted list': (text) => pastedList(text, lists),
		'pasted repository': (text) => pastedRepository(text, git),
		'typed goal': readTyped,
		'remote of a clone': (text) => repositoryOfRemote(text, git),
		'address of a link': (text) => safeLink(text, todo),
		'address to save from': amCommand,
		'place in a tree': (text) => placeInTree(`${git}/~a/b/tree/main/${text}`, `${git}/~a/b/tree/main/a`),
		'lines of a fragment': linesOfFragment,
	}),
	...over(people, {
		'written name': (text) => writtenName(text, sampleInstance),
		sender: (text) => senderIn(text),
		'plain addresses': (text) => plainAddresses(text),
		'encoded words': decodeWords,
		'encoded words that are written': encodedWords,
		'words of a header to git': wordsToGit,
		'mail to git': gitPatch,
		'name of a sender': nameOfSender,
		'person of a trailer': personIn,
		'people printed by a command': (text) => printedPeople(Buffer.from(text)),
		'goal that is a mail': readTyped,
		'list that is written to': (text) => listOfAddresses(text, lists),
	}),
	...over(references, {
		references: (text) => referencesIn(text, [todo]),
		'links in text': (text) => linkedText(text, { web }),
		'tickets that a mail names': (text) => ticketsNamed(text, [todo], 1),
		'message of a commit': (text) => messagePieces(text, { ref, web, knows: () => true }),
		'tickets in prose': (text) => namedTickets(text, 'markdown', [todo]),
		'tickets in a commit': (text) => namedTickets(text, 'git-commit', [todo]),
		'place to complete': (text) => completionSite(text, text.length, 'markdown'),
		'place to complete in a commit': (text) => completionSite(text, text.length, 'git-commit'),
		'kept trackers': trackerRefOf,
		'kept lists': listRefOf,
		'kept repositories': repositoryRefOf,
	}),
	...over(subjects, {
		subject: patchSubject,
		'subject of a thread': subjectOfThread,
		'place in a series': subjectPlace,
		'subject of a commit': commitSubject,
		'title of versions': versionTitle,
		'likeness of titles': (text) => runAtOnce(similaritySteps(text, [titled('a b'), titled(text)], 2)),
		'branch of a title': (text) => branchName('${tracker}/${id}-${title}', { id: 1, title: text, tracker: text }),
		'template of branches': (text) => branchName(text, { id: 1, title: 'a', tracker: 'b' }),
	}),
	...over(trailers, {
		'trailers of a commit': trailersOf,
		'trailer to add': (text) => withTrailer(text, { key: 'Fixes', value: '#1' }),
		'end of a message': messageEnd,
		'trailers of a mail': (text) => trailerLines(text.split('\n')),
		'message as the page shows it': commitMessage,
	}),
	...over(prose, {
		'own lines of a mail': ownLines,
		'verdict of a mail': (text) => verdictIn(text.split('\n'), 'A B'),
		'verdict in one line': (text) => verdictIn([text], 'A B'),
		'blocks of a mail': (text) => proseBlocks(text, { web }),
	}),
	...over(heads, {
		'parts of a message': messageParts,
		'bytes of a mail': bytesOfMail,
		'a diff in a file': holdsDiff,
		'mail with trailers': (text) =>
			[`Subject: a\n\n${text}`, `Content-Transfer-Encoding: base64\n\n${text}`, `Content-Type: ${text}`].map((mail) => [
				mailForGit(mail, { trailers: [{ key: 'Acked-by', value: text }], stripsReturns: true }),
				quotedReturns(mail),
			]),
		'id of a patch': (text) => [patchId(text), patchId(`diff --git a/b a/b\n${text}`)],
		'patch of a version': (text) => {
			const diffText = `diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1,999 +1,999 @@ ${text}`;
			const parts = { author: undefined, subject: text, message: text, commentary: '', prerequisites: [] };
			return rangePatch({ ...parts, diff: parseDiff(diffText), diffText }, undefined);
		},
	}),
	...over(['change-id: ', 'Link to v1: ', '- ', 'https://a.test/', '%3C', '1@a.test', '20240101-a', '/', ' ', '\n'], {
		'versions that a mail states': statedVersions,
	}),
	...over(requests, { 'request to pull': pullRequestOf }),
	...over(diffstat, { statistics: withoutStatistics, 'stated changes': statedChanges }),
	...over(names, {
		'file name': (text) => safeFileName(text, 'file'),
		'name of a reference': isSafeRefName,
		'revision of a clone': isSafeRevision,
		'name of a folder': isSafeFolderName,
		revision: (text) => [canBeRevision(text), referenceOf(text, [])],
		'path of a repository': (text) => stepsOf(text, 100),
		'address of a file': (text) => [placeOfPath('k', `/~a/b/${text}`), placeOfSide('k', `/~a/b/${text}`, id)],
		'name for a model': nameText,
		'visible text': (text) => [visible(text), visibleLine(text), escapeMarkdown(text)],
	}),
	...over(['v', '1', '.', '_', '-', 'rc', 'a', '1.2', '99999', '/', '~'], {
		tags: (text) => newestVersionFirst([text, `${text}1`, 'v1'], (tag) => tag),
	}),
	...over(filters, {
		'filter of tickets': parseTicketFilter,
		'filter of lists': (text) => parseListFilter(text),
		'time span': timeSpanOf,
		'nearest word': (text) => nearest(text, ['status', 'label']),
	}),
	...over(paths, {
		'patterns of paths': (text) => pathFilter(text)('a/b/c'),
		'path against a pattern': (text) => pathFilter('**/*a*b*/{x,y}?*')(text),
		'typed path': typedPath,
		'path to find': (text) => [foldPath(text), pathQuery(text)],
		'text to find': (text) => readTextQuery({ text, isRegex: false, matchCase: false, wholeWord: true }),
	}),
	...over(code, {
		'comments of code': (text) => commentSpans(text, 'typescript'),
		'comments of shell': (text) => commentSpans(text, 'shellscript'),
		'comments of markup': (text) => commentSpans(text, 'html'),
		'prose of Markdown': proseSpans,
		'text of a marker': todoText,
		'quoted code': (text) => fencedCode(text.split('\n'), 'c'),
	}),
	...over(markup, {
		'words of a sign-in server': serverWords,
		'reasons of a forge': (text) =>
			problemOf(
				{
					status: 400,
					contentType: 'application/json',
					location: undefined,
					retryAfterMs: undefined,
					body: utf8.encode(JSON.stringify({ errors: [{ reason: text }] })),
				},
				{ area: 'todo', origin: todo, nowMs: 0, scopeNames: {}, token: 'secret' },
			),
		pills: pillsInHtml,
		'frame for a model': (text) => untrustedFrame(text, 100_000),
	}),
	...over(['profile:read', 'tickets:rw', '*', ',', ' ', '/', 'x', ':', '.'], {
		'granted scopes': restProtocol(sampleInstance).readGranted,
	}),
	...over(['Bearer ', 'token', ' ', 'a', '\n'], { 'pasted token': readPastedToken }),
	...over(['{"ticket":', '{"id":7,"tracker":', '{"owner":', '[', '{', '}', ']', '"a":1,', '"', '\\u0041', '1', ','], {
		'bodies of deliveries': (text) =>
			readDelivery({ kind: 'tracker', ref }, 'event:create', Buffer.from(`{"ticket":[${text}`)),
		'pushes of deliveries': (text) =>
			readDelivery({ kind: 'repository', ref }, 'repo:post-update', Buffer.from(`{"refs":[${text}]}`)),
	}),
	...over(['1', ' ', 'Nov', ':', ',', 'GMT', '2026-11-21T', '+', '-', 'Z', '.', '('], {
		'time to wait': (text) => parseRetryAfter(text, 0),
		'time of an answer': timestampMs,
	}),
	...over(['[GNUPG:] ', 'GOODSIG ', 'VALIDSIG ', id, ' ', '\n', '\r', 'a'], { 'status of gpg': readGpgStatus }),
	...over(['Receiving objects: 12% (3/25)', ', ', '1.50', '999', ' ', 'MiB', 'GiB', ' |', ',', '/s', '\r', 'a'], {
		'progress of git': receivedMebibytes,
	}),
	...over(blanks, {
		'new ticket of blanks': readTicket,
		'message of blanks': commitMessage,
		'trailers of blanks': trailersOf,
	}),
	...over(markdown, {
		'new ticket': readTicket,
		'links in Markdown': (text) => linkedText(text, { web }),
	}),
	{
		name: 'links in a reply',
		tokens: ['Link:', 'fixes: #1', 'https://a.test/', '#', ' ', '\t', '\n', '> ', 'a', '0123456 (', ')', '['],
		slowness: 4,
		read: (text) => linksInReplies([...patched, makeSeriesMail({ id: 2, parentId: 1, body: text })], patchedSeries),
	},
	{
		name: 'a reply to a patch',
		tokens: replies,
		slowness: 4,
		rests: true,
		read: (text) => commentsBelow(patchText('a/b.c', 'Why'), [text]),
	},
	{
		name: 'replies that quote what they answer',
		tokens: replies,
		slowness: 8,
		rests: true,
		read: (text) => commentsBelow(text, [text, `> ${text.replaceAll('\n', '\n> ')}`]),
	},
	{ name: 'Markdown', tokens: markdown, slowness: 4, read: (text) => renderer.render(text, tracker) },
	{ name: 'README', tokens: markdown, slowness: 4, read: (text) => wantedPictures(text, readme, renderer) },
];

function titled(title: string): IndexedTicket {
	return { ticket: makeTicket({ title }), comments: [], commentCount: undefined };
}

/** Comments of replies to a patch, each a reply to the previous mail. */
function commentsBelow(patch: string, replies: readonly string[]): unknown {
	const mails = [patch, ...replies].map((body, at) =>
		makeSeriesMail({
			id: at + 1,
			parentId: at === 0 ? undefined : at,
			subject: at === 0 ? '[PATCH] a' : 'Re: [PATCH] a',
			body,
		}),
	);
	const comments = runAtOnce(reviewComments(mails, readSeries(mails.slice(0, 1))));
	return openQuestions(comments);
}

function over(
	tokens: readonly string[],
	readers: Readonly<Record<string, (text: string) => unknown>>,
): readonly TextParser[] {
	return Object.entries(readers).map(([name, read]) => ({ name, tokens, read }));
}
