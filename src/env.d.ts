declare namespace App {
  interface Locals {
    services: import('./server/services.ts').Services
  }
}
