// The bundle of the worker threads. The first unusual mail, large answer or text search loads it.
export { jsonAnswerer } from '@forge-desk/base/farJson.ts';
export { mailAnswerer } from 'patchmail/mail/mailThread.ts';
export { readMail } from 'patchmail/mail/readMail.ts';
export { searchAnswerer } from './engine/search/texts/searchText.ts';
