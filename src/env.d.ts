declare namespace App {
  interface Locals {
    services: import('./site/services.ts').Services
  }
}
