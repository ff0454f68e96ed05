// The bundle of the worker threads. The first unusual mail, large answer or text search loads it.
import { jsonAnswerer } from '@forge-desk/base/workerJson.ts';
import { mailAnswerer } from 'patchmail/mail/mailThread.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { searchAnswerer } from './engine/search/texts/searchText.ts';

export { jsonAnswerer, mailAnswerer, readMail, searchAnswerer };
