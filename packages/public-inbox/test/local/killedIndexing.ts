// Reads a mailbox into an index, in a process of its own: its parent kills it, or limits its disk.
import { indexAnswerer } from '../../src/local/indexAnswerer.ts';
import { LocalList, mailboxAt } from '../../src/local/localList.ts';
import { MailboxError } from '../../src/local/mailSource.ts';

const [path = '', file = ''] = process.argv.slice(2);
const answer = indexAnswerer();
const list = new LocalList(await mailboxAt(path, Date.now), (question) => answer(question), file, Date.now);
try {
	await list.refresh((mails) => process.stdout.write(`${mails}\n`), new AbortController().signal);
	process.stdout.write('whole\n');
} catch (error) {
	process.stdout.write(`${error instanceof MailboxError ? error.trouble : String(error)}\n`);
}
