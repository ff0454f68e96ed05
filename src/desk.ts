// The bundle of views and stores. The first use of a view, command or address loads it.
export { openDesk } from './app/openDesk.ts';
