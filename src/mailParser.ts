// The bundle of the worker threads. The first unusual mail, large answer, text search or mailbox loads it.
import { jsonAnswerer } from '@forge-desk/base/workerJson.ts';
import { mailAnswerer } from 'patchmail/mail/mailThread.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { indexAnswerer } from 'public-inbox/local/indexAnswerer.ts';
import { searchAnswerer } from './engine/search/texts/searchText.ts';

export { indexAnswerer, jsonAnswerer, mailAnswerer, readMail, searchAnswerer };
