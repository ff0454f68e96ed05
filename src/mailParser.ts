// The bundle of the worker threads. The first unusual mail, large answer or text search loads it.
export { jsonAnswerer } from './base/farJson.ts';
export { mailAnswerer } from './engine/mail/mailThread.ts';
export { readMail } from './engine/mail/readMail.ts';
export { searchAnswerer } from './engine/search/texts/searchText.ts';
